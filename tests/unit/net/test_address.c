#include "net/address.h"

#include "tests/unit/table.h"

static const struct row {
    const char *name;
    const char *address;
    enum address_class class;
} addresses[] = {
    {"a public resolver", "8.8.8.8", ADDRESS_PUBLIC},
    {"just below 10/8", "9.255.255.255", ADDRESS_PUBLIC},
    {"just above 10/8", "11.0.0.0", ADDRESS_PUBLIC},
    {"just below shared space", "100.63.255.255", ADDRESS_PUBLIC},
    {"just above shared space", "100.128.0.0", ADDRESS_PUBLIC},
    {"just below loopback", "126.255.255.255", ADDRESS_PUBLIC},
    {"just above loopback", "128.0.0.0", ADDRESS_PUBLIC},
    {"just below link-local", "169.253.255.255", ADDRESS_PUBLIC},
    {"just above link-local", "169.255.0.0", ADDRESS_PUBLIC},
    {"just below 172.16/12", "172.15.255.255", ADDRESS_PUBLIC},
    {"just above 172.16/12", "172.32.0.0", ADDRESS_PUBLIC},
    {"192.0.1.0 is given out", "192.0.1.0", ADDRESS_PUBLIC},
    {"just below 192.168/16", "192.167.255.255", ADDRESS_PUBLIC},
    {"just above 192.168/16", "192.169.0.0", ADDRESS_PUBLIC},
    {"just below the benchmark nets", "198.17.255.255", ADDRESS_PUBLIC},
    {"just above the benchmark nets", "198.20.0.0", ADDRESS_PUBLIC},
    {"just below multicast", "223.255.255.255", ADDRESS_PUBLIC},
    {"IPv6 of a public site", "2606:4700::6810:84e5", ADDRESS_PUBLIC},
    {"IPv6 in China", "2408:8000::1", ADDRESS_PUBLIC},
    {"first given out in 2001::/16", "2001:200::1", ADDRESS_PUBLIC},
    {"end of 2000::/3", "3ffe::1", ADDRESS_PUBLIC},

    {"all zero", "0.0.0.0", ADDRESS_UNSPECIFIED},
    {"this network", "0.1.2.3", ADDRESS_UNSPECIFIED},
    {"RFC 1918 ten", "10.0.0.1", ADDRESS_PRIVATE},
    {"end of ten", "10.255.255.255", ADDRESS_PRIVATE},
    {"carrier NAT", "100.64.0.1", ADDRESS_SHARED},
    {"Aliyun's metadata service", "100.100.100.200", ADDRESS_SHARED},
    {"end of carrier NAT", "100.127.255.255", ADDRESS_SHARED},
    {"loopback", "127.0.0.1", ADDRESS_LOOPBACK},
    {"far loopback", "127.255.255.254", ADDRESS_LOOPBACK},
    {"metadata service", "169.254.169.254", ADDRESS_LINK_LOCAL},
    {"RFC 1918 172", "172.16.0.1", ADDRESS_PRIVATE},
    {"end of 172.16/12", "172.31.255.255", ADDRESS_PRIVATE},
    {"protocol assignments", "192.0.0.170", ADDRESS_RESERVED},
    {"documentation 1", "192.0.2.1", ADDRESS_RESERVED},
    {"6to4 relay", "192.88.99.1", ADDRESS_RESERVED},
    {"RFC 1918 192.168", "192.168.1.1", ADDRESS_PRIVATE},
    {"benchmark low", "198.18.0.1", ADDRESS_RESERVED},
    {"benchmark high", "198.19.255.255", ADDRESS_RESERVED},
    {"documentation 2", "198.51.100.7", ADDRESS_RESERVED},
    {"documentation 3", "203.0.113.9", ADDRESS_RESERVED},
    {"multicast", "224.0.0.251", ADDRESS_MULTICAST},
    {"end of multicast", "239.255.255.255", ADDRESS_MULTICAST},
    {"class E", "240.0.0.1", ADDRESS_RESERVED},
    {"broadcast", "255.255.255.255", ADDRESS_MULTICAST},
    {"IPv6 unspecified", "::", ADDRESS_UNSPECIFIED},
    {"IPv6 loopback", "::1", ADDRESS_LOOPBACK},
    {"IPv4-compatible", "::7f00:1", ADDRESS_EMBEDDED},
    {"mapped loopback", "::ffff:127.0.0.1", ADDRESS_EMBEDDED},
    {"mapped public", "::ffff:8.8.8.8", ADDRESS_EMBEDDED},
    {"translated", "::ffff:0:127.0.0.1", ADDRESS_EMBEDDED},
    {"NAT64 of loopback", "64:ff9b::7f00:1", ADDRESS_EMBEDDED},
    {"local NAT64", "64:ff9b:1::a00:1", ADDRESS_EMBEDDED},
    {"discard only", "100::1", ADDRESS_RESERVED},
    {"Teredo", "2001::1", ADDRESS_EMBEDDED},
    {"ORCHID", "2001:20::1", ADDRESS_RESERVED},
    {"IPv6 documentation", "2001:db8::1", ADDRESS_RESERVED},
    {"6to4 of ten", "2002:a00:1::", ADDRESS_EMBEDDED},
    {"new documentation", "3fff::1", ADDRESS_RESERVED},
    {"not given out", "4000::1", ADDRESS_RESERVED},
    {"segment routing", "5f00::1", ADDRESS_RESERVED},
    {"unique local", "fc00::1", ADDRESS_PRIVATE},
    {"unique local, random", "fd12:3456::1", ADDRESS_PRIVATE},
    {"IPv6 link-local", "fe80::1", ADDRESS_LINK_LOCAL},
    {"end of link-local", "febf::1", ADDRESS_LINK_LOCAL},
    {"site-local", "fec0::1", ADDRESS_PRIVATE},
    {"IPv6 multicast", "ff02::1", ADDRESS_MULTICAST},
    {"a name", "localhost", ADDRESS_UNKNOWN},
    {"octal is no printed address", "0177.0.0.1", ADDRESS_UNKNOWN},
    {"empty", "", ADDRESS_UNKNOWN},
};

static void check_address(void **state)
{
    const struct row *row = *state;
    assert_int_equal(address_of_text(row->address), row->class);
    assert_true(strlen(address_class_text(row->class)) > 5);
}

static const struct length_row {
    const char *name;
    size_t len;
} lengths[] = {{"no bytes", 0}, {"three bytes", 3}, {"five bytes", 5}, {"fifteen bytes", 15}, {"seventeen bytes", 17}};

static void check_length(void **state)
{
    static const uint8_t bytes[17] = {8, 8, 8, 8};
    const struct length_row *row = *state;
    assert_int_equal(address_of_bytes(bytes, row->len), ADDRESS_UNKNOWN);
}

int main(void)
{
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return TABLE_RUN(addresses, check_address) + TABLE_RUN(lengths, check_length);
}
