"""Content codings as real encoders make them: zlib of Python, brotli and zstd of the libraries that libcurl brings along."""

import ctypes
import gzip as gzip_module
import zlib


def gzip(data):
    """RFC 1952."""
    return gzip_module.compress(data, 6, mtime=0)


def deflate(data):
    """RFC 1950, which HTTP calls deflate."""
    return zlib.compress(data, 6)


def raw_deflate(data):
    """RFC 1951 without a wrapper, which some servers send instead."""
    coder = zlib.compressobj(6, zlib.DEFLATED, -15)
    return coder.compress(data) + coder.flush()


def br(data):
    """RFC 7932."""
    library = ctypes.CDLL("libbrotlienc.so.1")
    out = ctypes.create_string_buffer(len(data) + len(data) // 2 + 1024)
    size = ctypes.c_size_t(len(out))
    quality, window, generic = 5, 22, 0
    if not library.BrotliEncoderCompress(quality, window, generic, ctypes.c_size_t(len(data)), data, ctypes.byref(size), out):
        raise RuntimeError("brotli refuses")
    return out.raw[:size.value]


def zstd(data):
    """RFC 8878, with a checksum behind the frame."""
    library = ctypes.CDLL("libzstd.so.1")
    library.ZSTD_createCCtx.restype = library.ZSTD_compress2.restype = library.ZSTD_freeCCtx.restype = ctypes.c_size_t
    library.ZSTD_createCCtx.restype = ctypes.c_void_p
    checksum_flag = 201
    context = ctypes.c_void_p(library.ZSTD_createCCtx())
    library.ZSTD_CCtx_setParameter(context, checksum_flag, 1)
    out = ctypes.create_string_buffer(len(data) + 4096)
    size = library.ZSTD_compress2(context, out, ctypes.c_size_t(len(out)), data, ctypes.c_size_t(len(data)))
    library.ZSTD_freeCCtx(context)
    if size > len(out):
        raise RuntimeError("zstd refuses")
    return out.raw[:size]


CODERS = {"gzip": gzip, "x-gzip": gzip, "deflate": deflate, "raw": raw_deflate, "br": br, "zstd": zstd}


def label(name):
    """How the coding is called in a header."""
    return "deflate" if name == "raw" else name


def stack(names, data):
    """`data` under several codings, the first named applied first."""
    for name in names:
        data = CODERS[name](data)
    return data
