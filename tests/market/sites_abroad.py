"""The hosts abroad of the sample market, each in the shape that its real page or answer is documented to have."""

import json

from page import SAMPLE, Page, document, escape, json_page, number


def beam_markdown(host, _request):
    """Beam's documentation page as markdown."""
    rows = "\n".join(f"| {item['label']} | ${item['second']} | ${item['hour']} |" for item in host.offers())
    return Page(f"# Pricing and Billing\n\n{SAMPLE}\n\nYou pay by the second for what runs.\n\n"
                "| Resource | Price (Per Second) | Price (Per Hour) |\n| --- | --- | --- |\n"
                f"{rows}\n| CPU | $0.0000528 per core | $0.190 per core |\n| RAM | $0.0000056 per GB | $0.020 per GB |\n"
                "| File Storage | Included | Included |\n", "text/markdown")


def cerebrium_row(label, kind, rate, unit):
    """One line of a price list: the name, then the rate in an attribute and as visible text."""
    return (f'<li class="row"><span>{escape(label)}</span> <span data-pricing-type="{kind}" data-rate-per-second="{rate}">'
            f'<span data-value>${rate or "0.05"}</span><span data-unit>{unit}</span></span></li>')


def cerebrium_pricing(host, _request):
    """Cerebrium's price lists; in the other layout the element names are gone and the prices stand in a plain list."""
    if host.behaviour.get("layout") == "plain":
        items = "\n".join(f"<li>{escape(item['label'])} ${item['second']} / second</li>" for item in host.offers())
        return Page(document("Pricing", f"<h1>Serverless GPU pricing</h1>\n<ul>\n{items}\n</ul>", lang="en"))
    rows = [cerebrium_row(item["label"], "second", item["second"], "/s") for item in host.offers()]
    rows += [cerebrium_row("CPU", "second", "0.00000655", "/vCPU/s"), cerebrium_row("Memory", "second", "0.00000222", "/GB/s"),
             cerebrium_row("Storage", "other", "", "/GB/mo")]
    body = '<c-pricing-table><ul class="space-y-2">\n' + "\n".join(rows) + "\n</ul></c-pricing-table>"
    return Page(document("Pricing", f"<h1>Serverless GPU pricing</h1>\n{body}", lang="en"))


def runpod_types(host, request):
    """The GraphQL answer. A market that a card is not offered in has a price all the same, as in the real answer."""
    if b"gpuTypes" not in request.body:
        return json_page({"errors": [{"message": "Must provide query string."}]})
    types = [{"id": item["id"], "displayName": item["label"], "memoryInGb": item["vram"], "secureCloud": True,
              "communityCloud": "community" in item, "securePrice": number(item["secure"]),
              "communityPrice": number(item.get("community", "0.5")), "secureSpotPrice": number(item.get("spot", item["secure"])),
              "communitySpotPrice": number(item.get("community", "0.5"))} for item in host.offers()]
    return json_page({"data": {"gpuTypes": types}})


LAMBDA_COLUMNS = (("VRAM/GPU", "vram"), ("vCPUs", "vcpu"), ("RAM", "ram"), ("STORAGE", "disk"))


def lambda_row(item):
    """One plan of one table."""
    cells = "".join(f'<td data-label="{name}">{escape(item[key])}</td>' for name, key in LAMBDA_COLUMNS)
    price = f"${item['hour']}" if item["hour"] else "—"
    return (f'<tr data-plan="{escape(item["label"])}"><th data-label="Plan">{escape(item["label"])}</th>{cells}'
            f'<td data-label="PRICE/GPU/HR*">{price}</td></tr>')


def lambda_panel(size, items):
    """One tab's table: all plans of one instance size."""
    head = "".join(f"<th>{name}</th>" for name in ("Plan", "VRAM/GPU", "vCPUs", "RAM", "STORAGE", "PRICE/GPU/HR*"))
    rows = "\n".join(lambda_row(item) for item in items)
    return (f'<div role="tabpanel" id="panel-{size}" aria-labelledby="tab-{size}"><table><thead><tr>{head}</tr></thead>\n'
            f"<tbody>\n{rows}\n</tbody></table></div>")


def lambda_instances(host, _request):
    """Lambda's instance tables in tabs."""
    sizes = sorted({item["size"] for item in host.offers()}, reverse=True)
    tabs = "".join(f'<button role="tab" id="tab-{size}" aria-controls="panel-{size}">{size}x</button>' for size in sizes)
    panels = "\n".join(lambda_panel(size, [item for item in host.offers() if item["size"] == size]) for size in sizes)
    return Page(document("Instances", f"<h1>GPU instances</h1>\n<div>{tabs}</div>\n{panels}", lang="en"))


def nebius_row(cells):
    """One row of a table made of div elements."""
    inner = "".join(f'<div class="pc-highlight-table-block__cell"><div><p>{escape(cell)}</p></div></div>' for cell in cells)
    return f'<div class="pc-highlight-table-block__row">{inner}</div>'


def nebius_prices(host, _request):
    """Nebius's table of GPU instances."""
    rows = [nebius_row((item["label"], item["vcpu"], item["ram"], item["spot"] or "––", item["hour"] or "Contact us"))
            for item in host.offers()]
    head = nebius_row(("Item", "vCPUs", "RAM, GB", "Preemptible, GPU-hour", "On-demand, GPU-hour"))
    body = ('<div class="pc-highlight-table-block"><div class="pc-highlight-table-block__content">'
            f'<div class="pc-highlight-table-block__head">{head}</div>\n<div class="pc-highlight-table-block__body">\n'
            + "\n".join(rows) + "\n</div></div></div>")
    return Page(document("Pricing", f"<h1>AI Cloud pricing</h1>\n<p>Save up to 35% with a reservation.</p>\n{body}", lang="en"))


def modal_pricing(host, _request):
    """Modal's list of compute costs."""
    rows = "\n".join(f'<div class="row"><p>{escape(item["label"])}</p><p>${item["second"]} / sec</p></div>' for item in host.offers())
    body = ("<h1>Plans and pricing</h1>\n<p>Starter plan with $30 of free credits a month.</p>\n<h2>GPU tasks</h2>\n"
            f"<div>\n{rows}\n</div>\n<h2>CPU</h2>\n<div class=\"row\"><p>Physical core</p><p>$0.0000131 / core / sec</p></div>\n"
            "<h2>Memory</h2>\n<div class=\"row\"><p>Memory</p><p>$0.00000222 / GiB / sec</p></div>")
    return Page(document("Pricing", body, lang="en"))


def verda_types(host, _request):
    """Verda's instance types: prices as texts."""
    types = [{"instance_type": item["type"], "price_per_hour": item["hour"], "spot_price": item["spot"], "currency": "usd",
              "gpu": {"description": item["gpu"], "number_of_gpus": item["cards"]},
              "gpu_memory": {"size_in_gigabytes": item["vram"]}} for item in host.offers()]
    return json_page(types)


def vultr_plans(host, _request):
    """Vultr's plans."""
    plans = [{"id": item["id"], "vcpu_count": item["vcpu"], "ram": item["ram"], "monthly_cost": number(item["month"]),
              "hourly_cost": number(item["hour"]), "type": "vcg", "gpu_vram_gb": item["vram"], "gpu_type": item["gpu"],
              "locations": ["ewr"]} for item in host.offers()]
    return json_page({"plans": plans, "meta": {"total": len(plans), "links": {"next": "", "prev": ""}}})


def e2e_pricing(host, _request):
    """E2E's page with structured data."""
    offers = [{"@type": "Offer", "name": item["label"], "priceCurrency": "INR", "price": int(item["hour"])} for item in host.offers()]
    data = {"@context": "https://schema.org", "@type": "Product", "name": "GPU Cloud", "offers": offers}
    script = f'<script type="application/ld+json">{json.dumps(data)}</script>'
    return Page(document("Pricing", f"<h1>GPU pricing</h1>\n{script}", lang="en"))


def linode_types(host, _request):
    """Linode's instance types."""
    types = [{"id": item["id"], "label": item["label"], "class": "gpu" if item["gpus"] else "standard", "gpus": item["gpus"],
              "vcpus": item["vcpu"], "memory": item["memory"],
              "price": {"hourly": number(item["hour"]), "monthly": number(item["month"])}} for item in host.offers()]
    return json_page({"data": types, "page": 1, "pages": 1, "results": len(types)})


def oracle_products(host, _request):
    """Oracle's list of products."""
    items = [{"partNumber": item["part"], "displayName": item["label"], "metricName": item["metric"],
              "currencyCodeLocalizations": [{"currencyCode": "USD", "prices": [{"model": "PAY_AS_YOU_GO", "value": number(item["hour"])}]}]}
             for item in host.offers()]
    return json_page({"items": items})


ROUTES = {
    "docs.beam.cloud": {"/v2/resources/pricing-and-billing.md": beam_markdown},
    "www.cerebrium.ai": {"/pricing": cerebrium_pricing},
    "api.runpod.io": {"/graphql": runpod_types},
    "lambda.ai": {"/instances": lambda_instances},
    "nebius.com": {"/prices": nebius_prices},
    "modal.com": {"/pricing": modal_pricing},
    "api.datacrunch.io": {"/v1/instance-types": verda_types},
    "api.vultr.com": {"/v2/plans": vultr_plans},
    "www.e2enetworks.com": {"/pricing": e2e_pricing},
    "api.linode.com": {"/v4/linode/types": linode_types},
    "apexapps.oracle.com": {"/pls/apex/cetools/api/v1/products/": oracle_products},
}
