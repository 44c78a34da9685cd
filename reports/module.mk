LIBS += -ljansson -lxlsxwriter -lm
