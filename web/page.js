"use strict";
/* Tables sort by their titles and are filtered as one types; without this file they are as the server wrote them. */
(function () {
  var en = document.documentElement.lang === "en";

  /* What a cell is to be ordered by: the number it begins with, else its text. Ages count in minutes. */
  function key(cell) {
    var text = cell.textContent.trim(), age = /^(\d+)([mhd])$/.exec(text), number = /^[-+]?\d+(\.\d+)?/.exec(text.replace(/,/g, ""));
    if (text === "" || text === "—") return null;
    if (age) return Number(age[1]) * { m: 1, h: 60, d: 1440 }[age[2]];
    return number && cell.classList.contains("n") ? Number(number[0]) : text;
  }

  function sort(table, at, title) {
    var body = table.tBodies[0], down = title.getAttribute("aria-sort") === "ascending", sign = down ? -1 : 1;
    var rows = Array.from(body.rows).map(function (row, i) { return { row: row, key: key(row.cells[at]), i: i }; });
    rows.sort(function (a, b) {
      if (a.key === null || b.key === null) return (a.key === null) - (b.key === null) || a.i - b.i;
      if (typeof a.key === "number" && typeof b.key === "number") return sign * (a.key - b.key) || a.i - b.i;
      return sign * String(a.key).localeCompare(String(b.key)) || a.i - b.i;
    });
    Array.from(table.tHead.rows[0].cells).forEach(function (cell) { cell.removeAttribute("aria-sort"); });
    title.setAttribute("aria-sort", down ? "descending" : "ascending");
    rows.forEach(function (entry) { body.appendChild(entry.row); });
  }

  function sortable(table) {
    Array.from(table.tHead.rows[0].cells).forEach(function (title, at) {
      var button = document.createElement("button");
      button.type = "button";
      button.textContent = title.textContent;
      button.addEventListener("click", function () { sort(table, at, title); });
      title.textContent = "";
      title.appendChild(button);
    });
  }

  /* One field over all tables of the page. */
  function find(tables) {
    var label = document.createElement("label"), input = document.createElement("input"), box = document.createElement("p");
    label.htmlFor = input.id = "find";
    label.textContent = (en ? "Find in the tables below" : "在下面的表中查找") + " ";
    input.type = "search";
    input.addEventListener("input", function () {
      var wanted = input.value.toLowerCase();
      tables.forEach(function (table) {
        var shown = 0;
        Array.from(table.tBodies[0].rows).forEach(function (row) {
          row.hidden = wanted !== "" && row.textContent.toLowerCase().indexOf(wanted) < 0;
          shown += !row.hidden;
        });
        table.parentElement.hidden = shown === 0;
      });
    });
    box.className = "find";
    box.append(label, input);
    return box;
  }

  var tables = Array.from(document.querySelectorAll("table")).filter(function (table) { return table.tHead && table.tBodies.length; });
  var rows = tables.reduce(function (sum, table) { return sum + table.tBodies[0].rows.length; }, 0);
  tables.filter(function (table) { return table.tBodies[0].rows.length > 1; }).forEach(sortable);
  var form = document.querySelector("form");
  if (rows > 20 && form) form.after(find(tables));
})();
