#!/usr/bin/python3
"""The pipeline by Scrapy, parsel and SQLite: pages to rows on disk, a durable transaction a site. Keeps each page packed, reads each
row's prices into integers, and writes a price only when it changed. usage: pipeline_scrapy.py LIST DATABASE PAGES_A_SITE PARALLEL"""
import re
import sqlite3
import sys
import time
import zlib

import scrapy
from scrapy.crawler import CrawlerProcess

urls = open(sys.argv[1]).read().split()
pages_a_site, parallel = int(sys.argv[3]), int(sys.argv[4])
db = sqlite3.connect(sys.argv[2], isolation_level=None)
db.executescript('''
    pragma journal_mode = wal; pragma synchronous = full;
    create table page (id integer primary key, url text, t integer, body blob);
    create table offer (id integer primary key, url text, label text, unique (url, label));
    create table price (offer integer, t integer, hour_milli integer, month_milli integer, stock text,
                        primary key (offer, t)) without rowid;
''')
waiting = {}
AMOUNT = re.compile(r'¥([0-9]+)(?:\.([0-9]{1,3}))?')


def milli(text):
    """'¥12.34/小时' in thousandths."""
    found = AMOUNT.search(text or '')
    return int(found.group(1)) * 1000 + int((found.group(2) or '0').ljust(3, '0')) if found else None


def text_of(row, path):
    return ''.join(row.xpath(path + '//text()').getall()).strip()


def keep_row(row, url, now):
    label = text_of(row, 'td[1]')
    seen = (milli(text_of(row, 'td[3]')), milli(text_of(row, 'td[4]')), text_of(row, 'td[6]'))
    db.execute('insert or ignore into offer (url, label) values (?, ?)', (url, label))
    offer = db.execute('select id from offer where url = ? and label = ?', (url, label)).fetchone()[0]
    last = db.execute('select hour_milli, month_milli, stock from price where offer = ? order by t desc limit 1', (offer,)).fetchone()
    if last != seen:
        db.execute('insert into price values (?, ?, ?, ?, ?)', (offer, now, *seen))


class Pipeline(scrapy.Spider):
    name = 'pipeline'

    def start_requests(self):
        return (scrapy.Request(url, dont_filter=True) for url in urls)

    def parse(self, response):
        site = response.url.split('/')[2]
        pages = waiting.setdefault(site, [])
        pages.append(response)
        if len(pages) < pages_a_site:
            return
        now = int(time.time())
        db.execute('begin')
        for page in waiting.pop(site):
            db.execute('insert into page (url, t, body) values (?, ?, ?)', (page.url, now, zlib.compress(page.body)))
            for row in page.xpath("//table[@id='offers']/tbody/tr"):
                keep_row(row, page.url, now)
        db.execute('commit')


process = CrawlerProcess({
    'ROBOTSTXT_OBEY': True, 'CONCURRENT_REQUESTS': parallel, 'CONCURRENT_REQUESTS_PER_DOMAIN': parallel, 'DOWNLOAD_DELAY': 0,
    'AUTOTHROTTLE_ENABLED': False, 'COOKIES_ENABLED': False, 'RETRY_ENABLED': False, 'TELNETCONSOLE_ENABLED': False, 'LOG_LEVEL': 'ERROR',
})
process.crawl(Pipeline)
process.start()
print('offers', db.execute('select count(*) from price').fetchone()[0])
