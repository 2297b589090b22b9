// Server-side request forgery by a page in the browser, in every way a browser connects. Passes if
// the canary is not reached while the page's scripts demonstrably ran.
import { reportBroke, reportHeld, reportSkipped, type HostileCase } from "../../hostile-case.ts";

/** A page that requests `inner` in every way, and `seen` by script after trying them all. */
const buildPage = (inner: string, seen: string): string => `<!doctype html><title>Loading</title>
<link rel="preconnect" href="${inner}"><link rel="prefetch" href="${inner}/prefetch"><link rel="preload" as="script" href="${inner}/preload">
<link rel="stylesheet" href="${inner}/style"><link rel="icon" href="${inner}/icon">
<main><h1>A page of many requests</h1><p>It asks for things that are not meant for it.</p></main>
<img src="${inner}/img"><iframe src="${inner}/iframe"></iframe><video src="${inner}/video"></video><object data="${inner}/object"></object>
<embed src="${inner}/embed"><script src="${inner}/script"></script><audio src="${inner}/audio"></audio><img srcset="${inner}/srcset 2x">
<svg><image href="${inner}/svg"/></svg><div style="background:url(${inner}/background)"></div>
<form id="f" action="${inner}/form" target="formframe"></form><iframe name="formframe"></iframe>
<script>
const inner = ${JSON.stringify(inner)};
const ways = [
  () => fetch(inner + "/fetch"), () => fetch(inner + "/no-cors", { mode: "no-cors" }),
  () => { const x = new XMLHttpRequest(); x.open("POST", inner + "/xhr"); x.send("x"); },
  () => new WebSocket(inner.replace("http", "ws") + "/socket"), () => new EventSource(inner + "/events"),
  () => navigator.sendBeacon(inner + "/beacon", "x"), () => { new Image().src = inner + "/image"; },
  () => window.open(inner + "/open"), () => f.submit(), () => import(inner + "/import"),
  () => new Worker(URL.createObjectURL(new Blob(["fetch('" + inner + "/worker')"]))),
  () => { const p = new RTCPeerConnection({ iceServers: [{ urls: "stun:" + inner.slice(7) }, { urls: "turn:" + inner.slice(7) + "?transport=tcp", username: "a", credential: "b" }] }); p.createDataChannel("x"); p.createOffer().then((o) => p.setLocalDescription(o)); },
  () => { const i = document.createElement("iframe"); i.srcdoc = '<script>fetch("' + inner + '/srcdoc")<' + '/script>'; document.body.append(i); },
  () => { const a = document.createElement("a"); a.href = inner + "/ping"; a.ping = inner + "/pinged"; a.target = "_blank"; document.body.append(a); a.click(); },
];
let tried = 0;
for (const way of ways) try { tried++; Promise.resolve(way()).catch(() => {}); } catch {}
fetch(${JSON.stringify(seen)} + "?tried=" + tried).catch(() => {});
setTimeout(() => { location.href = inner + "/navigate"; }, 1500);
</script>`;

export const ssrfBrowser: HostileCase = {
  name: "ssrf-browser",
  attack:
    "A page in the browser asks loopback in thirty ways, by markup, script, worker, socket and navigation.",
  promise: "No request of a page leaves but to allowed addresses.",
  severity: "critical",
  needs: ["browser"],
  budgetMs: 90_000,
  async run({ target, site, canary, isSmall }) {
    const seen = site.serve("seen", "seen");
    const hosts = [canary.url, `http://localhost:${canary.port}`, `http://[::1]:${canary.port}`];
    for (const inner of isSmall ? hosts.slice(0, 1) : hosts) {
      const page = site.serve("browser", buildPage(inner, seen.url));
      await target.scrape(page.url, { waitFor: 3_000 }, 20_000);
    }
    const hits = canary.hits();
    if (hits.length > 0)
      return reportBroke(`the canary was reached: ${hits.slice(0, 4).join("; ")}`);
    if (seen.requests() === 0)
      return reportSkipped(
        "the target ran no script of the pages: it has no browser, or did not use it",
      );
    return reportHeld(
      `scripts of ${seen.requests()} pages ran and reported, the canary was not reached`,
    );
  },
};
