LIBS += -lmicrohttpd -lz -lpthread
# asset.c takes these in by .incbin, which dependency files do not tell.
$(BUILD)/web/asset.o: web/page.css web/page.js web/icon.svg docs/openapi.json
