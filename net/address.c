/* Two tables and one comparison. The tables follow the special-purpose registries of IANA, row by row, so that an update
 * there is a row here. Nothing is parsed by hand: the system's inet_pton reads printed forms, and sockets come as bytes. */
#include "net/address.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <string.h>

/* One range: the first `bits` of `prefix`. */
struct range {
    uint8_t bits;
    uint8_t class;
    uint8_t prefix[16];
};

static const struct range ranges_v4[] = {
    {8, ADDRESS_UNSPECIFIED, {0}},         {8, ADDRESS_PRIVATE, {10}},           {10, ADDRESS_SHARED, {100, 64}},
    {8, ADDRESS_LOOPBACK, {127}},          {16, ADDRESS_LINK_LOCAL, {169, 254}}, {12, ADDRESS_PRIVATE, {172, 16}},
    {24, ADDRESS_RESERVED, {192, 0, 0}},   {24, ADDRESS_RESERVED, {192, 0, 2}},  {24, ADDRESS_RESERVED, {192, 88, 99}},
    {16, ADDRESS_PRIVATE, {192, 168}},     {15, ADDRESS_RESERVED, {198, 18}},    {24, ADDRESS_RESERVED, {198, 51, 100}},
    {24, ADDRESS_RESERVED, {203, 0, 113}}, {4, ADDRESS_MULTICAST, {224}},        {32, ADDRESS_MULTICAST, {255, 255, 255, 255}},
    {4, ADDRESS_RESERVED, {240}},
};

/* The first match decides, so narrow ranges stand before wide ones. */
static const struct range ranges_v6[] = {
    {128, ADDRESS_UNSPECIFIED, {0}},
    {128, ADDRESS_LOOPBACK, {[15] = 1}},
    {96, ADDRESS_EMBEDDED, {0}},                                  /* ::/96, IPv4-compatible */
    {96, ADDRESS_EMBEDDED, {[10] = 0xFF, [11] = 0xFF}},           /* ::ffff:0:0/96, mapped */
    {96, ADDRESS_EMBEDDED, {[8] = 0xFF, [9] = 0xFF}},             /* ::ffff:0:0:0/96, translated (RFC 2765) */
    {96, ADDRESS_EMBEDDED, {0x00, 0x64, 0xFF, 0x9B}},             /* 64:ff9b::/96, NAT64 */
    {48, ADDRESS_EMBEDDED, {0x00, 0x64, 0xFF, 0x9B, 0x00, 0x01}}, /* 64:ff9b:1::/48, local NAT64 */
    {32, ADDRESS_EMBEDDED, {0x20, 0x01, 0x00, 0x00}},             /* 2001::/32, Teredo */
    {23, ADDRESS_RESERVED, {0x20, 0x01, 0x00}},                   /* 2001::/23, protocol assignments */
    {32, ADDRESS_RESERVED, {0x20, 0x01, 0x0D, 0xB8}},             /* documentation */
    {16, ADDRESS_EMBEDDED, {0x20, 0x02}},                         /* 6to4 */
    {20, ADDRESS_RESERVED, {0x3F, 0xFF}},                         /* documentation (RFC 9637) */
    {7, ADDRESS_PRIVATE, {0xFC}},
    {10, ADDRESS_LINK_LOCAL, {0xFE, 0x80}},
    {10, ADDRESS_PRIVATE, {0xFE, 0xC0}},
    {8, ADDRESS_MULTICAST, {0xFF}},
    {3, ADDRESS_PUBLIC, {0x20}}, /* 2000::/3, all that has been given out */
    {0, ADDRESS_RESERVED, {0}},
};

/* True when the address lies in the range. */
static bool range_holds(const struct range *range, const uint8_t *bytes)
{
    size_t whole = range->bits / 8;
    if (memcmp(range->prefix, bytes, whole) != 0) return false;
    unsigned rest = range->bits % 8u;
    if (rest == 0) return true;
    unsigned mask = (0xFFu << (8 - rest)) & 0xFFu;
    return ((unsigned)range->prefix[whole] & mask) == (bytes[whole] & mask);
}

/* The class of the first range that holds the address; PUBLIC when none does. */
static enum address_class find(const struct range *ranges, size_t count, const uint8_t *bytes)
{
    for (size_t i = 0; i < count; i++)
        if (range_holds(&ranges[i], bytes)) return (enum address_class)ranges[i].class;
    return ADDRESS_PUBLIC;
}

enum address_class address_of_bytes(const uint8_t *bytes, size_t len)
{
    if (len == 4) return find(ranges_v4, sizeof ranges_v4 / sizeof ranges_v4[0], bytes);
    if (len == 16) return find(ranges_v6, sizeof ranges_v6 / sizeof ranges_v6[0], bytes);
    return ADDRESS_UNKNOWN;
}

/* Copied out: what getaddrinfo and sockets hand over need not be aligned for it. */
enum address_class address_of_sockaddr(const struct sockaddr *address, size_t len)
{
    if (len >= sizeof(struct sockaddr_in) && address->sa_family == AF_INET) {
        struct sockaddr_in v4;
        memcpy(&v4, address, sizeof v4);
        return address_of_bytes((const uint8_t *)&v4.sin_addr, 4);
    }
    if (len >= sizeof(struct sockaddr_in6) && address->sa_family == AF_INET6) {
        struct sockaddr_in6 v6;
        memcpy(&v6, address, sizeof v6);
        return address_of_bytes((const uint8_t *)&v6.sin6_addr, 16);
    }
    return ADDRESS_UNKNOWN;
}

enum address_class address_of_text(const char *text)
{
    uint8_t bytes[16];
    if (inet_pton(AF_INET, text, bytes) == 1) return address_of_bytes(bytes, 4);
    if (inet_pton(AF_INET6, text, bytes) == 1) return address_of_bytes(bytes, 16);
    return ADDRESS_UNKNOWN;
}

const char *address_class_text(enum address_class class)
{
    static const char *const texts[ADDRESS_CLASSES] = {
        [ADDRESS_PUBLIC] = "a public address",
        [ADDRESS_UNSPECIFIED] = "an unspecified address",
        [ADDRESS_LOOPBACK] = "a loopback address",
        [ADDRESS_PRIVATE] = "a private address",
        [ADDRESS_SHARED] = "a carrier's shared address",
        [ADDRESS_LINK_LOCAL] = "a link-local address",
        [ADDRESS_RESERVED] = "a reserved address",
        [ADDRESS_MULTICAST] = "a multicast address",
        [ADDRESS_EMBEDDED] = "an IPv4 address embedded in IPv6",
        [ADDRESS_UNKNOWN] = "not an IP address",
    };
    return (unsigned)class < ADDRESS_CLASSES ? texts[class] : "an unknown address";
}
