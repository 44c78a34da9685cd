# Where each group of the sorted vocabulary ends: words that begin with one character are a group, in ASCII with the same two. Run by make
# over price_word.def; price_word.c reads the answer, PRICE_GROUP(first three bytes, words up to the group's end).

BEGIN { for (i = 1; i < 256; i++) code[sprintf("%c", i)] = i }

/^PRICE_WORD\("/ {
    if (index($0, "\\")) { print "price_word.def: an escape: " $0 > "/dev/stderr"; exit 1 }
    word = substr($0, 13, index($0, "\", ") - 13)
    a = code[substr(word, 1, 1)]
    b = length(word) > 1 ? code[substr(word, 2, 1)] : 0
    group = a ", " b ", " (a >= 224 ? code[substr(word, 3, 1)] : 0)
    if (group != last && last != "") printf "PRICE_GROUP(%s, %d)\n", last, count
    last = group
    count++
}

END { if (last != "") printf "PRICE_GROUP(%s, %d)\n", last, count }
