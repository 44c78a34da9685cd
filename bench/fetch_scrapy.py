#!/usr/bin/python3
"""The same list by Scrapy, politeness off. usage: fetch_scrapy.py LIST PARALLEL"""
import sys

import scrapy
from scrapy.crawler import CrawlerProcess

urls = open(sys.argv[1]).read().split()
parallel = int(sys.argv[2])
got = {'pages': 0, 'bytes': 0}


class Fetch(scrapy.Spider):
    name = 'fetch'

    def start_requests(self):
        return (scrapy.Request(url, dont_filter=True) for url in urls)

    def parse(self, response):
        got['pages'] += 1
        got['bytes'] += len(response.body)


SETTINGS = {
    'ROBOTSTXT_OBEY': False, 'CONCURRENT_REQUESTS': parallel, 'CONCURRENT_REQUESTS_PER_DOMAIN': parallel, 'DOWNLOAD_DELAY': 0,
    'AUTOTHROTTLE_ENABLED': False, 'COOKIES_ENABLED': False, 'RETRY_ENABLED': False, 'REDIRECT_ENABLED': False,
    'TELNETCONSOLE_ENABLED': False, 'LOG_LEVEL': 'ERROR',
}
process = CrawlerProcess(SETTINGS)
process.crawl(Fetch)
process.start()
print(f'pages {got["pages"]} of {len(urls)}, {got["bytes"]} bytes')
sys.exit(got['pages'] != len(urls))
