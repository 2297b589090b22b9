// A bot check as Cloudflare builds it: it answers 200 here, and its words could pass as the content
// of the page.
import { buildFalseContent } from "../../families/false-content.ts";

const CHALLENGE = `<!DOCTYPE html><html lang="en-US"><head><title>Just a moment...</title><meta name="robots" content="noindex,nofollow"></head>
<body><div class="main-wrapper" role="main"><div class="main-content"><h1 class="zone-name-title h1">shop.example</h1><h2 id="challenge-running">Checking if the site connection is secure</h2>
<noscript><div id="challenge-error-title"><span id="challenge-error-text">Enable JavaScript and cookies to continue</span></div></noscript>
<div id="challenge-body-text">shop.example needs to review the security of your connection before proceeding.</div></div></div>
<script>(function(){window._cf_chl_opt={cvId:'2',cType:'managed',cNounce:'123',cRay:'8abc',cHash:'abc'};var cpo=document.createElement('script');cpo.src='/cdn-cgi/challenge-platform/h/b/orchestrate/managed/v1?ray=8abc';})();</script></body></html>`;

export const challengePage = buildFalseContent({
  name: "challenge-page",
  attack: "A bot check answers 200 in place of the page.",
  severity: "medium",
  html: CHALLENGE,
  headers: { server: "cloudflare", "cf-mitigated": "challenge" },
});
