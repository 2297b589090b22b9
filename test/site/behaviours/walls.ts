import type { Behaviour } from "../behaviour.ts";
import { ARTICLE, htmlPage } from "../html-page.ts";

/** Pages in place of the content. */
export const walls: readonly Behaviour[] = [
  {
    path: "/challenge",
    about: "looks like a bot check of a delivery network",
    answer: ({ respond }) =>
      respond({
        status: 403,
        headers: {
          server: "cloudflare",
          "cf-mitigated": "challenge",
          "cf-ray": "8a1b2c3d4e5f6789-HAM",
        },
        body: `<!doctype html><html lang="en"><head><title>Just a moment...</title><meta name="robots" content="noindex,nofollow"></head><body><noscript>Enable JavaScript and cookies to continue</noscript><div id="challenge-error-text"></div><form id="challenge-form" action="/challenge?__cf_chl_f_tk=x" method="POST"></form><script src="/cdn-cgi/challenge-platform/h/b/orchestrate/chl_page/v1?ray=8a1b2c3d4e5f6789"></script></body></html>`,
      }),
  },
  {
    path: "/challenge-200",
    about: "the same with status 200",
    answer: ({ respond }) =>
      respond({
        body: `<!doctype html><html lang="en"><head><title>Checking your browser</title></head><body><h1>Verify you are human</h1><p>Please complete the security check to access this site.</p><div class="g-recaptcha" data-sitekey="k"></div></body></html>`,
      }),
  },
  {
    path: "/proxy-only",
    about: "403 unless the request came with x-via-proxy",
    answer: ({ headers, respond }) =>
      headers["x-via-proxy"] === undefined
        ? respond({
            status: 403,
            body: htmlPage({
              title: "Blocked",
              body: "<h1>Blocked</h1><p>Your address is on our list.</p>",
            }),
          })
        : respond({ body: htmlPage({ title: "Welcome", body: ARTICLE }) }),
  },
  {
    path: "/login-wall",
    about: "status 200, but only a sign-in form",
    answer: ({ respond }) =>
      respond({
        body: htmlPage({
          title: "Sign in",
          body: `<h1>Sign in to continue reading</h1><form action="/session" method="post"><label>E-mail <input type="email" name="email"></label><label>Password <input type="password" name="password"></label><button>Sign in</button></form><p><a href="/register">Create an account</a></p>`,
        }),
      }),
  },
  {
    path: "/consent",
    about: "an article under a cookie banner",
    answer: ({ respond }) =>
      respond({
        body: htmlPage({
          title: "Fenwick gets a wall",
          body: `<div id="cookie-consent" class="cookie-banner overlay" role="dialog" aria-label="Cookies"><h2>We value your privacy</h2><p>We and our 312 partners store information on your device.</p><button id="accept">Accept all</button><button id="reject">Reject all</button></div>${ARTICLE}`,
        }),
      }),
  },
  {
    path: "/shell",
    about: "an application shell: no text without scripts",
    answer: ({ respond }) =>
      respond({
        body: `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Harbour app</title><link rel="stylesheet" href="/app.css"></head><body><noscript>You need to enable JavaScript to run this app.</noscript><div id="root"></div><script>document.getElementById("root").innerHTML="<h1>Harbour app</h1><p>Seven vessels are in port this morning, two of them under repair.</p>";</script></body></html>`,
      }),
  },
  {
    path: "/shell-state",
    about: "an empty root whose content is in embedded JSON",
    answer: ({ respond }) =>
      respond({
        body: `<!doctype html><html lang="en"><head><title>Vessels</title></head><body><div id="__next"></div><script id="__NEXT_DATA__" type="application/json">{"props":{"pageProps":{"vessels":[{"name":"Marta","state":"in port"},{"name":"Ostwind","state":"under repair"}]}}}</script><script src="/app.js" defer></script></body></html>`,
      }),
  },
];
