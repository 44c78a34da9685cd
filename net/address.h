/* Which addresses may be connected to. Pure: bytes in, a verdict out; no names are resolved here. */
#ifndef GT_NET_ADDRESS_H
#define GT_NET_ADDRESS_H

#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

/* What the address registries say an address is for. Only ADDRESS_PUBLIC is on the open Internet. */
enum address_class {
    ADDRESS_PUBLIC,
    ADDRESS_UNSPECIFIED, /* 0.0.0.0/8, :: */
    ADDRESS_LOOPBACK,
    ADDRESS_PRIVATE,    /* RFC 1918, RFC 4193, site-local */
    ADDRESS_SHARED,     /* RFC 6598, behind a carrier's NAT */
    ADDRESS_LINK_LOCAL, /* also the metadata services of clouds, 169.254.169.254 */
    ADDRESS_RESERVED,   /* protocol assignments, documentation, benchmarks, not yet given out */
    ADDRESS_MULTICAST,  /* and broadcast */
    ADDRESS_EMBEDDED,   /* an IPv4 address inside an IPv6 one: mapped, compatible, NAT64, 6to4, Teredo */
    ADDRESS_UNKNOWN,    /* not an IP address at all */
    ADDRESS_CLASSES
};

/* The class of an address of 4 or 16 bytes in network order; any other length is ADDRESS_UNKNOWN. Source: the special-purpose
 * registries of IANA (RFC 6890 and its updates). IPv6 outside 2000::/3 is never public. */
enum address_class address_of_bytes(const uint8_t *bytes, size_t len);

/* The class of a socket address; families other than AF_INET and AF_INET6 are ADDRESS_UNKNOWN. */
enum address_class address_of_sockaddr(const struct sockaddr *address, size_t len);

/* The class of a printed address ("127.0.0.1", "::1"); ADDRESS_UNKNOWN when it is none. */
enum address_class address_of_text(const char *text);

/* The class in a few words for messages, such as "a loopback address". Static storage. */
const char *address_class_text(enum address_class class);

#endif
