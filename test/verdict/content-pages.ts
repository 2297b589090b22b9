// Content pages with words or scripts of bot checks, logins and error pages. Each must be
// classified as content.
import type { SamplePage } from "./sample-page.ts";

const NAV = `<header><a href="/">Home</a> <a href="/blog">Blog</a> <a href="/about">About</a> <a href="/login">Log in</a></header>`;
const FOOT = `<footer><a href="/terms">Terms</a> <a href="/privacy">Privacy</a> © 2026 Acme</footer>`;

/** An article within a site; `head` is inserted in its head, `end` after its text. */
const article = (
  name: string,
  title: string,
  paragraphs: readonly string[],
  { head = "", end = "" }: { readonly head?: string; readonly end?: string } = {},
): SamplePage => ({
  name,
  status: 200,
  html: `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title>${head}</head><body>${NAV}<main><h1>${title}</h1>${paragraphs.map((text) => `<p>${text}</p>`).join("")}</main>${FOOT}${end}</body></html>`,
  verdict: "content",
});

const LAMP =
  "A lamp of brass and blue glass for the desk or the shelf. It takes one bulb of the common kind, stands 30 cm high and weighs 1.2 kg. The cable is two metres long and covered with cloth.";
const HARBOUR =
  "Seven vessels are in port this morning, two of them under repair. The ferry to the island leaves at nine, at noon and at five, and takes an hour and ten minutes in calm weather. Tickets are sold on the pier and on board.";
const escape = (html: string): string => html.replaceAll("<", "&lt;").replaceAll(">", "&gt;");

export const CONTENT_PAGES: readonly SamplePage[] = [
  article("an article on CAPTCHAs", "How CAPTCHAs tell humans from bots", [
    "A CAPTCHA asks you to verify you are human before a site lets you in. The first ones showed warped letters; later ones asked for traffic lights.",
    "Today most checks run without a puzzle: a script looks at the browser and sends a token. Services such as reCAPTCHA, hCaptcha and Turnstile differ in what they collect.",
  ]),
  article("documentation of Cloudflare challenges", "Detect a Challenge Page response", [
    "When a request meets a challenge page, the response has the header cf-mitigated with the value challenge. The page has the title Just a moment... and loads /cdn-cgi/challenge-platform/h/g/orchestrate/chl_page/v1.",
    `<pre><code>${escape('<script>window._cf_chl_opt = {cvId: "3"}</script>')}</code></pre>`,
  ]),
  article("documentation of an error code", "403 Forbidden", [
    "The HTTP 403 Forbidden client error response status code says that the server understood the request and refused to process it. It is like 401, but logging in again makes no difference.",
    "Clients that receive a 403 must expect that repeating the request without modification fails with the same error.",
  ]),
  article("a help page on 'Access denied'", "Access denied when opening a shared folder", [
    "Windows shows Access is denied when your account has no permission for the folder. Ask its owner to add you under Sharing, or sign in with the account that owns it.",
    "If you are the owner, take ownership under Properties, Security, Advanced, and then grant yourself full control.",
  ]),
  article("a post on the history of the 404 page", "404: a short history of the page not found", [
    "In the early days of the web a missing file gave a bare line of text. Designers found out soon that a page not found is a chance to make people smile.",
    "The number itself comes from the list of status codes that Tim Berners-Lee drew up in 1992.",
  ]),
  article("a tutorial on logging in over SSH", "Log in to a server with SSH keys", [
    "Create a key pair with ssh-keygen and copy the public part to the server with ssh-copy-id. From then on you sign in without a password.",
    "To forbid passwords altogether set PasswordAuthentication to no in sshd_config and restart the service.",
  ]),
  article("documentation of Anubis with its markup as code", "Detecting Anubis", [
    "The challenge page of Anubis carries its parameters in a script element:",
    `<pre><code>${escape('<script id="anubis_challenge" type="application/json">{"rules":{}}</script><img src="/.within.website/x/cmd/anubis/static/img/pensive.webp">')}</code></pre>`,
    "The text Making sure you're not a bot! is its title and its heading.",
  ]),
  article(
    "documentation that shows a challenge page in a text area",
    "Test pages for bot checks",
    ["Paste this page into your test server. It has what the page of DataDome has."],
    {
      end: `<textarea rows="9"><script data-cfasync="false" src="https://ct.captcha-delivery.com/c.js"></script><script>var dd={'rt':'c'}</script></textarea>`,
    },
  ),
  article("a page of a shop behind HUMAN", "Blue lamp", [LAMP], {
    head: `<script>window._pxAppId='PXabc';(function(){var p=document.createElement('script');p.src='/abc/init.js';})();</script>`,
  }),
  article("a page of a shop behind Imperva", "Green lamp", [LAMP], {
    end: `<script type="text/javascript" src="/_Incapsula_Resource?SWJIYLWA=719d34d31c8e3a6e6fffd425f7e032f3&ns=10&cb=1162649131" async></script>`,
  }),
  article("a page of a shop behind DataDome", "Red lamp", [LAMP], {
    head: `<script>window.ddjskey='ABC';window.ddoptions={};</script><script src="https://js.datadome.co/tags.js" async></script>`,
  }),
  article("a page of a shop behind Akamai", "White lamp", [LAMP], {
    end: `<script type="text/javascript" src="/akam/13/1f2e3d4c" defer></script><script>bmak.startTracking("/abc");</script>`,
  }),
  article("a page of a shop behind Kasada", "Black lamp", [LAMP], {
    head: `<script src="/149e9513-01fa-4fb0-aad4-566afd725d1b/2d206a39-8ed7-437e-a3be-862e0f06eea3/p.js"></script>`,
  }),
  article("a page with the AWS WAF integration", "Yellow lamp", [LAMP], {
    head: `<script type="text/javascript" src="https://abc.edge.sdk.awswaf.com/abc/challenge.js" defer></script>`,
  }),
  article("a short page with Cloudflare's script detection", "The ferry", [HARBOUR], {
    end: `<script>(function(){function c(){var b=a.contentDocument;if(b){var d=b.createElement('script');d.innerHTML="window.__CF$cv$params={r:'8f2a',t:'MTc='};var a=document.createElement('script');a.src='/cdn-cgi/challenge-platform/scripts/jsd/main.js';";}}})();</script>`,
  }),
  {
    name: "a contact form with reCAPTCHA",
    status: 200,
    html: `<!doctype html><html lang="en"><head><title>Contact | Acme</title><script src="https://www.google.com/recaptcha/api.js" async></script></head><body>${NAV}<h1>Contact us</h1><p>Write to us and we answer within a day.</p><form method="post"><label>Name <input name="name"></label><label>Message <textarea name="text"></textarea></label><div class="g-recaptcha" data-sitekey="k"></div><button>Send</button></form>${FOOT}</body></html>`,
    verdict: "content",
  },
  {
    name: "a sign-up for a newsletter with Turnstile",
    status: 200,
    html: `<!doctype html><html lang="en"><head><title>Newsletter | Acme</title><script src="https://challenges.cloudflare.com/turnstile/v0/api.js" async defer></script></head><body>${NAV}<h1>Our letter</h1><p>One mail a month on lamps and light, never more.</p><form><input type="email" name="email"><div class="cf-turnstile" data-sitekey="x"></div><button>Subscribe</button></form>${FOOT}</body></html>`,
    verdict: "content",
  },
  {
    name: "a home page with a login box",
    status: 200,
    html: `<!doctype html><html lang="en"><head><title>Harbour news</title></head><body>${NAV}<form action="/session"><input name="user"><input type="password" name="password"><button>Log in</button></form><h1>Harbour news</h1><p>${HARBOUR}</p><h2>Today</h2><p>The fish market opens at six and closes when all is sold, as a rule before eleven.</p>${FOOT}</body></html>`,
    verdict: "content",
  },
  {
    name: "a short product page of a perfume called Just a Moment",
    status: 200,
    html: `<!doctype html><html lang="en"><head><title>Just a Moment eau de parfum 50 ml | Acme</title><script src="/app.js"></script></head><body>${NAV}<h1>Just a Moment</h1><p>Bergamot, cedar and a little salt. 50 ml, $49.00.</p><button>Add to cart</button>${FOOT}</body></html>`,
    verdict: "content",
  },
  {
    name: "a short page of a car",
    status: 200,
    html: `<!doctype html><html lang="en"><head><title>Peugeot 404 | Car museum</title></head><body>${NAV}<h1>Peugeot 404</h1><p>Built from 1960 to 1975. Designed by Pininfarina. Four cylinders, 1618 cc.</p>${FOOT}</body></html>`,
    verdict: "content",
  },
  {
    name: "lyrics of a song called One More Step",
    status: 200,
    html: `<!doctype html><html lang="en"><head><title>One More Step</title><script src="/ads.js"></script></head><body>${NAV}<h1>One More Step</h1><p>One more step along the road,<br>one more hill and one more load,<br>one more song before the night,<br>one more window with a light.</p>${FOOT}</body></html>`,
    verdict: "content",
  },
  {
    name: "a short dictionary entry for 'blocked'",
    status: 200,
    html: `<!doctype html><html lang="en"><head><title>blocked: meaning and use</title></head><body>${NAV}<h1>blocked</h1><p>Of a road or pipe: closed by something in the way. Of a person: kept from going on.</p>${FOOT}</body></html>`,
    verdict: "content",
  },
  {
    name: "a short answer to a question on the 503 error",
    status: 200,
    html: `<!doctype html><html lang="en"><head><title>What does "503 Service Unavailable" mean? | Q&amp;A</title></head><body>${NAV}<h1>What does "503 Service Unavailable" mean?</h1><p>The server cannot answer for the moment. Try again in some minutes.</p>${FOOT}</body></html>`,
    verdict: "content",
  },
  {
    name: "a short page on how to sign in",
    status: 200,
    html: `<!doctype html><html lang="en"><head><title>How to sign in | Help</title></head><body>${NAV}<h1>How to sign in</h1><p>Press Sign in at the top of any page, type your e-mail and password, and press Enter.</p>${FOOT}</body></html>`,
    verdict: "content",
  },
  article(
    "a news report on an outage at a bot defence",
    "Cloudflare outage shows 'Just a moment' to millions",
    [
      "For two hours on Tuesday visitors of thousands of sites saw nothing but the words Checking your browser and a Ray ID. Cloudflare said a wrong rule had sent every request to the challenge.",
      "Sorry, you have been blocked, read the page of a bank; others showed Attention Required! instead of their shop.",
    ],
  ),
  article("a checklist called Security check", "Security check", [
    "Before you leave for the holidays go through this list: windows, back door, alarm, lights on a timer, post held back, key with the neighbours.",
    "Write down the numbers of your devices and keep them apart from the house.",
  ]),
  article("a README of a scraper that lists block pages", "What scrapers see", [
    'Access Denied You don\'t have permission to access "http://shop.example/" on this server. Reference #18.4b2f1602.1727400000.1a2b3c4d is what Akamai answers.',
    "The requested URL was rejected. Please consult with your administrator. Your support ID is: 4045204596866416688 is what F5 answers.",
    "Request unsuccessful. Incapsula incident ID: 123 is what Imperva answers.",
  ]),
  article("an attribute that holds the markup of a check", "Widget gallery", [
    `Hover over a card to see its source. <span data-source='&lt;div id="px-captcha"&gt;&lt;/div&gt;'>HUMAN</span> <span data-source=' id="sec-if-cpt-container"'>Akamai</span>`,
  ]),
  {
    name: "an answer behind Cloudflare that has its cookies and headers",
    status: 200,
    headers: [
      ["content-type", "text/html; charset=utf-8"],
      ["server", "cloudflare"],
      ["cf-ray", "8a1b2c3d4e5f6789-HAM"],
      ["set-cookie", "__cf_bm=abc; path=/; HttpOnly; Secure"],
    ],
    html: `<!doctype html><html lang="en"><head><title>Ferries</title></head><body><h1>Ferries</h1><p>${HARBOUR}</p></body></html>`,
    verdict: "content",
  },
];
