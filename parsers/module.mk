LIBS += -lxml2 -lpcre2-8 -ljq -lcsv
