LIBS += -lseccomp
