"""Pages that stand in the place of the wanted one, with status 200. The shapes are those of the products, the words are our own."""

from case import Case, JSON, JSON_RULES, GOOD_JSON, page, reply

FILLER = "<p>" + "云服务器 GPU 算力 平台 文档 帮助 关于我们 " * 5 + "</p>"


FOOTER = "<footer>© 2026 Example Cloud Computing · 版权所有 · 关于我们 · 联系方式 · Terms of service · Privacy · Status · Documentation</footer>"


def short(title, body):
    """A page of a sentence or two, with a footer: the words must give it away, not its emptiness."""
    return f"<!DOCTYPE html><html><head><title>{title}</title></head><body>{body}{FOOTER}</body></html>"


CHALLENGES = {
    "cloudflare": short("Just a moment...", "<script>window._cf_chl_opt={cvId:'3'}</script><noscript>Enable JavaScript and cookies to continue</noscript>"),
    "cloudflare-1020": short("Attention Required! | Cloudflare", "<h1>Sorry, you have been blocked</h1><p>Cloudflare Ray ID: 7d1</p>"),
    "checking": short("One moment", "<h1>Checking your browser before accessing the site</h1>"),
    "human": short("Robot check", "<p>Please verify you are human</p>"),
    "press-hold": short("Access to this page has been denied", "<div id=px-captcha></div><p>Press &amp; Hold to confirm you are a human</p>"),
    "datadome": short("", "<script src='https://ct.captcha-delivery.com/c.js'></script><p>Please enable JS and disable any ad blocker</p>"),
    "incapsula": short("", "<iframe src='/_Incapsula_Resource?x=1'>Request unsuccessful. Incapsula incident ID: 1</iframe>"),
    "akamai": short("Access Denied", "<h1>Access Denied</h1>You don't have permission to access this page on this server. Reference #18.1"),
    "sucuri": short("Sucuri WebSite Firewall - Access Denied", "<h1>Access Denied - Sucuri Website Firewall</h1>"),
    "ddos-guard": short("DDoS-Guard", "<p>Checking your browser before accessing</p>"),
    "unusual-traffic": short("Sorry", "<p>Our systems have detected unusual traffic from your computer network.</p>"),
    "recaptcha": short("Security check", "<form><div class=g-recaptcha data-sitekey=x></div></form>"),
    "hcaptcha": short("Security check", "<form><div class=h-captcha data-sitekey=x></div></form>"),
    "turnstile": short("Verify", "<div class=cf-turnstile></div><p>Verifying you are human. This may take a few seconds.</p>"),
    "not-a-robot": short("Hello", "<p>Verify that you are not a robot</p>"),
    "aliyun-waf": short("", "<textarea id=renderData style='display:none'>{\"l1\":1}</textarea><meta name=aliyun_waf_aa content=x>"),
    "aliyun-cookie": "<html><script>var arg1='3A';function setCookie(n,v){document.cookie=n+'='+v;location.reload()}var _0=acw_sc__v2;</script></html>",
    "aliyun-blocked": short("405", "<p>很抱歉，由于您访问的URL有可能对网站造成安全威胁，您的访问被阻断。</p>"),
    "tencent-captcha": short("安全验证", "<script src='https://turing.captcha.qcloud.com/TCaptcha.js'></script><p>请完成安全验证</p>"),
    "slide": short("验证", "<p>请按住滑块，拖动到最右边</p><p>滑动验证</p>"),
    "human-zh": short("人机验证", "<p>为保证您的正常访问，请完成人机验证</p>"),
    "geetest": short("", "<script src='https://static.geetest.com/gt.js'></script><p>点击按钮进行验证</p>"),
    "too-often-zh": short("提示", "<p>您的访问过于频繁，请稍后再试</p>"),
    "denied-zh": short("访问被拒绝", "<p>访问被拒绝</p>"),
    "intercepted-zh": short("拦截提示", "<p>您的请求被拦截，可能包含不合法参数</p>"),
    "baota": short("网站防火墙", "<p>您的请求带有不合法参数，已被网站管理员设置拦截！</p>"),
    "yundun": short("云防护", "<p>当前访问疑似黑客攻击，已被网站管理员设置为拦截并记录</p>"),
    "anquanbao": short("安全狗", "<p>您所提交的请求含有不合法的参数，已被网站管理员设置拦截</p>"),
}
LOGINS = {
    "login": short("Sign in", "<form><input type=email><input type=\"password\"></form>"),
    "login-to-continue": short("Console", "<p>Please sign in to continue</p>"),
    "login-required": short("401", "<p>Login required</p>"),
    "login-zh": short("用户登录", "<form>账号登录 <input name=u> <input name=p></form>"),
    "login-first-zh": short("提示", "<p>请先登录</p>"),
    "login-to-see-zh": short("价格", "<p>登录后查看价格</p>"),
    "login-phone-zh": short("登录", "<form>手机号 <input name=m> 验证码 <input name=c><button>获取验证码</button></form>"),
    "login-wechat-zh": short("微信登录", "<p>请使用微信扫码登录</p>"),
    "login-expired-zh": short("提示", "<p>登录已过期，请重新登录</p>"),
    "cookie-wall": short("Cookies", "<p>Please enable cookies to view this site</p>"),
    "consent": short("Before you continue", "<p>Accept cookies to continue</p>"),
    "captive-portal": short("Wi-Fi", "<p>Welcome to the hotel network. Please log in to access the Internet.</p>"),
    "real-name-zh": short("实名认证", "<p>请先完成实名认证后查看</p>"),
}
MISSING = {
    "soft-404": short("404 Not Found", "<h1>Page not found</h1>"),
    "soft-404-words": short("Oops", "<p>The page not found</p>"),
    "soft-404-zh": short("页面不存在", "<p>抱歉，您访问的页面不存在</p>"),
    "soft-404-zh-2": short("错误", "<p>找不到页面</p>"),
    "soft-404-zh-3": short("404", "<p>很抱歉，您要访问的页面已被删除或不存在</p>"),
    "soft-500": short("Error", "<h1>500 Internal Server Error</h1>"),
    "soft-502": short("502 Bad Gateway", "<center><h1>502 Bad Gateway</h1></center><hr><center>nginx</center>"),
    "soft-503": short("503", "<h1>Service Temporarily Unavailable</h1>"),
    "maintenance": short("Maintenance", "<p>The site is under maintenance</p>"),
    "maintenance-zh": short("系统维护", "<p>系统维护中，请稍后访问</p>"),
    "upgrade-zh": short("公告", "<p>系统升级中</p>"),
    "busy-zh": short("提示", "<p>服务器繁忙，请稍后再试</p>"),
    "nginx-welcome": short("Welcome to nginx!", "<h1>Welcome to nginx!</h1><p>If you see this page, the nginx web server is successfully installed and working.</p>"),
    "apache-works": short("Apache2 Debian Default Page: It works", "<p>This is the default welcome page used to test the correct operation of the Apache2 server</p>"),
    "baota-default-zh": short("没有找到站点", "<p>您的请求在Web服务器中没有找到对应的站点！</p>"),
    "index-of": short("Index of /", "<h1>Index of /</h1><pre><a href='../'>../</a> <a href='old/'>old/</a> 01-Jan-2026</pre>"),
    "parked": short("example", "<p>This domain is for sale. Buy this domain.</p>"),
    "parked-zh": short("域名", "<p>该域名正在出售，欢迎联系购买此域名</p>"),
    "expired-zh": short("域名过期", "<p>您访问的域名已过期，请及时续费</p>"),
    "no-licence-zh": short("网站暂时无法访问", "<p>该网站未进行备案，网站暂时无法访问</p>"),
    "no-licence-2-zh": short("备案提示", "<p>该域名未备案，禁止访问</p>"),
    "suspended": short("Account Suspended", "<p>This account has been suspended. Contact your hosting provider.</p>"),
    "suspended-zh": short("站点已停用", "<p>抱歉，该站点已经被管理员停止运行，请联系管理员了解详情！</p>"),
    "region": short("Sorry", "<p>This service is not available in your country or region.</p>"),
    "region-zh": short("提示", "<p>您所在的地区暂不支持访问</p>"),
}
SHELLS = {
    "shell-vue": "<!DOCTYPE html><html><head><title>x</title><script src=/app.js></script></head><body><div id=app></div></body></html>",
    "shell-react": "<!DOCTYPE html><html><head></head><body><noscript>You need to enable JavaScript to run this app.</noscript><div id=root></div></body></html>",
    "shell-vue-noscript": "<!DOCTYPE html><html><body><noscript>We're sorry but console doesn't work properly without JavaScript enabled.</noscript>"
                          "<div id=app></div></body></html>",
    "shell-loading-zh": "<!DOCTYPE html><html><body><div id=app>加载中…</div><script src=/a.js></script></body></html>",
    "shell-js-cookie": "<html><head><script>document.cookie='k=1';window.location.reload(true);</script></head><body></body></html>",
    "shell-meta-refresh": "<html><head><meta http-equiv=refresh content='0;url=/real'></head><body></body></html>",
    "shell-script-redirect": "<html><head><script>location.href='/real'</script></head><body></body></html>",
    "shell-frames": "<html><frameset><frame src=/real></frameset></html>",
    "shell-title-only": "<html><head><title>GPU 价格</title></head></html>",
    "shell-large-script": "<html><body><script>" + "var a=1;" * 20000 + "</script><div id=root></div></body></html>",
}


def json_cases():
    """JSON that is good, reports an error, or is none."""
    good = dict(rules=JSON_RULES)
    yield Case("json", reply(GOOD_JSON, headers=JSON), "ok", **good)
    yield Case("json-mark", reply(b"\xef\xbb\xbf" + GOOD_JSON, headers=JSON), "ok", **good)
    yield Case("json-called-html", reply(GOOD_JSON), "ok", **good)
    yield Case("json-numbers", reply(GOOD_JSON.replace(b'"1.98"', b"1.98"), headers=JSON), "ok", **good)
    yield Case("json-escapes", reply(GOOD_JSON.decode().encode("unicode-escape").replace(b"\\x", b"\\u00"), headers=JSON), "ok", **good)
    for name, body in (("code", '{"code":500,"msg":"系统异常"}'), ("error", '{"error":"rate limited"}'), ("errors", '{"errors":[{"message":"x"}]}'),
                       ("success", '{"success":false,"message":"x"}'), ("status", '{"status":"error"}'), ("code-word", '{"code":"InvalidToken","data":null}'),
                       ("code-400", '{"code":"400","message":"参数错误","data":null}'), ("not-logged-in", '{"code":401,"msg":"未登录"}'),
                       ("errcode", '{"errcode":40001,"errmsg":"invalid credential"}'), ("ret", '{"ret":-1,"msg":"no permission"}')):
        yield Case(f"json-says-{name}", reply(body, headers=JSON), "blocked" if name == "not-logged-in" else "failed", **good)
    for name, body in (("cut", GOOD_JSON[:-5]), ("cut-in-a-text", GOOD_JSON[:40]), ("nothing-in-it", b"{}"), ("empty-list", b'{"code":0,"data":[]}'),
                       ("null", b"null"), ("number", b"42"), ("rubbish-behind", GOOD_JSON + b"x"), ("deep", b"[" * 100000 + b"]" * 100000),
                       ("other-shape", b'{"code":0,"result":{"items":[{"n":"RTX 4090","p":"1"}]}}')):
        yield Case(f"json-{name}", reply(body, headers=JSON), ("drifted", "failed", "blocked"), **good)
    # readable all the same: what follows was seen in real answers
    yield Case("json-jsonp", reply(b"cb(" + GOOD_JSON + b")", headers=JSON), "ok", **good)
    yield Case("json-comma", reply(GOOD_JSON.replace(b"]}", b",]}"), headers=JSON), "ok", **good)
    yield Case("json-two", reply(GOOD_JSON + b"\n" + GOOD_JSON, headers=JSON), "ok", **good)
    yield Case("json-but-login-page", reply(LOGINS["login-zh"]), "blocked", "login", **good)
    yield Case("json-but-challenge", reply(CHALLENGES["cloudflare"]), "blocked", "challenge", **good)


def cases():
    """All of them, and pages with the same words that are real ones."""
    for group in (CHALLENGES, LOGINS, MISSING, SHELLS):
        for name, body in group.items():
            yield Case(f"gate-{name}", reply(body), "blocked", "shell" if group is SHELLS else "(\"")
    for name in ("cloudflare", "human-zh", "login", "denied-zh", "akamai"):
        for code in (401, 403):
            yield Case(f"gate-{code}-{name}", reply({**CHALLENGES, **LOGINS}[name], f"{code} No"), "blocked", f"HTTP {code}", requests=1)
    for name, words in (("login-link", "<a href=/login>请登录</a> <a>用户登录</a>"), ("captcha-script", "<script src='/geetest.js'></script>"),
                        ("password-field", "<form><input type=\"password\"></form>"), ("404-link", "<a href=/404>page not found</a>"),
                        ("maintenance-note", "<p>系统维护通知：本周六系统升级</p>"), ("cookie-banner", "<p>Accept cookies to continue</p>"),
                        ("noscript", "<noscript>Please enable JavaScript</noscript>"), ("filing-number", "<p>京ICP备00000000号 备案</p>"),
                        ("region-note", "<p>H100 is not available in your region yet</p>")):
        yield Case(f"real-with-{name}", reply(page(before=words + FILLER)), "ok")
    yield from json_cases()
