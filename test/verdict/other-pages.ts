// Logins, error pages, soft 404s, empty shells and empty pages, as sites return them.
import type { SamplePage } from "./sample-page.ts";

export const OTHER_PAGES: readonly SamplePage[] = [
  {
    name: "a login form instead of the page",
    status: 200,
    html: `<!doctype html><html lang="en"><head><title>Sign in | Acme Wiki</title></head><body><main><h1>Sign in</h1><form action="/login" method="post"><label>E-mail <input type="email" name="email"></label><label>Password <input type="password" name="password"></label><button>Sign in</button><a href="/forgot">Forgot password?</a></form></main></body></html>`,
    verdict: "login",
  },
  {
    name: "a login form in German",
    status: 200,
    html: `<!doctype html><html lang="de"><head><title>Anmelden - Kundenportal</title></head><body><h1>Anmelden</h1><form method="post"><label>Benutzername <input name="user"></label><label>Passwort <input type="password" name="pass"></label><button>Anmelden</button></form><p>Noch kein Konto? <a href="/neu">Registrieren</a></p></body></html>`,
    verdict: "login",
  },
  {
    name: "a login that asks for the name first",
    status: 200,
    html: `<!doctype html><html lang="en"><head><title>Sign in - Docs Accounts</title></head><body><h1>Sign in</h1><p>to continue to Docs</p><form method="post"><label>Email or phone <input type="email" name="identifier" autocomplete="username"></label><button>Next</button></form><p>Not your computer? Use a private browsing window to sign in.</p></body></html>`,
    verdict: "login",
  },
  {
    name: "404 with the site around it",
    status: 404,
    html: `<!doctype html><html><head><title>Page not found - Acme</title></head><body><nav><a href="/">Home</a> <a href="/shop">Shop</a></nav><h1>Page not found</h1><p>The page you are looking for does not exist.</p></body></html>`,
    verdict: "error_page",
    archived: "soft_404",
  },
  {
    name: "nginx 502",
    status: 502,
    html: `<html><head><title>502 Bad Gateway</title></head><body><center><h1>502 Bad Gateway</h1></center><hr><center>nginx</center></body></html>`,
    verdict: "error_page",
    archived: "soft_404",
  },
  {
    name: "Cloudflare 522: the site does not answer",
    status: 522,
    html: `<!DOCTYPE html><html class="no-js" lang="en-US"><head><title>shop.example | 522: Connection timed out</title><link rel="stylesheet" id="cf_styles-css" href="/cdn-cgi/styles/main.css"></head><body><div id="cf-wrapper"><div id="cf-error-details" class="p-0"><header><h1><span>Connection timed out</span> <span>Error code 522</span></h1></header><div><h2>What happened?</h2><p>The initial connection between Cloudflare's network and the origin web server timed out. As a result, the web page can not be displayed.</p></div></div></div></body></html>`,
    verdict: "error_page",
    archived: "content",
  },
  {
    name: "soft 404 in English",
    status: 200,
    html: `<!doctype html><html><head><title>404 - Not Found</title></head><body><h1>404</h1><p>Sorry, we could not find that page.</p><a href="/">Back to the home page</a></body></html>`,
    verdict: "soft_404",
  },
  {
    name: "soft 404 in German",
    status: 200,
    html: `<!doctype html><html lang="de"><head><title>Seite nicht gefunden</title></head><body><h1>Seite nicht gefunden</h1><p>Die gewünschte Seite gibt es nicht mehr.</p></body></html>`,
    verdict: "soft_404",
  },
  {
    name: "soft 404 in French",
    status: 200,
    html: `<!doctype html><html lang="fr"><head><title>Page introuvable</title></head><body><h1>Page introuvable</h1><p>La page demandée n'existe pas.</p></body></html>`,
    verdict: "soft_404",
  },
  {
    name: "a shell of React",
    status: 200,
    html: `<!doctype html><html lang="en"><head><title>React App</title><script defer src="/static/js/main.3f2a.js"></script></head><body><noscript>You need to enable JavaScript to run this app.</noscript><div id="root"></div></body></html>`,
    verdict: "empty_shell",
  },
  {
    name: "a shell that is behind Imperva",
    status: 200,
    html: `<!doctype html><html lang="en"><head><title>Bank</title><script src="/_Incapsula_Resource?SWJIYLWA=719d34d31c8e3a6e6fffd425f7e032f3&ns=1&cb=2"></script><script type="module" src="/assets/index.js"></script></head><body><div id="app"></div></body></html>`,
    verdict: "empty_shell",
  },
  {
    name: "a shell that is behind HUMAN",
    status: 200,
    html: `<!doctype html><html lang="en"><head><title>Homes</title><script>window._pxAppId='PXabc';(function(){var p=document.createElement('script');p.src='/abc/init.js';document.head.appendChild(p);})();</script></head><body><div id="__next"></div><script src="/_next/static/chunks/main.js"></script></body></html>`,
    verdict: "empty_shell",
  },
  {
    name: "a page that is still loading",
    status: 200,
    html: `<!doctype html><html><head><title>Portal</title></head><body><div id="main">Loading...</div><script src="/bundle.js"></script></body></html>`,
    verdict: "empty_shell",
  },
  {
    name: "no text and no script",
    status: 200,
    html: `<!doctype html><html><head><title>Blank</title></head><body></body></html>`,
    verdict: "empty",
  },
];
