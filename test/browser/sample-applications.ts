// Small JavaScript applications, one per habit that could carry something from one page of a site
// to the next. Each shows its path and what it finds of earlier pages.
import type { IncomingMessage, ServerResponse } from "node:http";

/** Script that renders a page; `path` and `show(text)` are defined. */
export type SampleApplication = { readonly name: string; readonly script: string };

/** What a page says about a value that an earlier page may have left. */
const visits = (read: string, write: string): string =>
  `const before = Number(${read} ?? 0); const next = before + 1; ${write}; show("visits before: " + before);`;

const STORAGE: Readonly<Record<string, string>> = {
  cookie: visits(
    `/n=(\\d+)/.exec(document.cookie)?.[1]`,
    `document.cookie = "n=" + next + "; path=/"`,
  ),
  "local storage": visits(`localStorage.getItem("n")`, `localStorage.setItem("n", next)`),
  "session storage": visits(`sessionStorage.getItem("n")`, `sessionStorage.setItem("n", next)`),
  "session storage on leaving": `show("visits before: " + (sessionStorage.getItem("n") ?? 0)); for (const type of ["pagehide", "unload"]) addEventListener(type, () => sessionStorage.setItem("n", 1)); document.addEventListener("visibilitychange", () => sessionStorage.setItem("n", 1));`,
  "window name": visits(`(window.name || undefined)`, `window.name = next`),
  "indexed database": `const opened = indexedDB.open("n", 1); let isNew = false; opened.onupgradeneeded = () => { isNew = true; }; opened.onsuccess = () => show(isNew ? "new database" : "known database");`,
  "cache storage": `caches.has("n").then(async (known) => { await caches.open("n"); show(known ? "known cache" : "new cache"); });`,
  "private files": `navigator.storage.getDirectory().then(async (root) => { let known = true; try { await root.getFileHandle("n"); } catch { known = false; } await root.getFileHandle("n", { create: true }); show(known ? "known file" : "new file"); }).catch(() => show("no files"));`,
};

/** The samples that leave a value for the next page. */
export const STORAGE_SAMPLES: readonly string[] = Object.keys(STORAGE);

const BEHAVIOR: Readonly<Record<string, string>> = {
  "data request": `fetch("/api" + path).then((r) => r.json()).then((data) => show(data.text));`,
  "late data": `setTimeout(() => fetch("/api" + path).then((r) => r.json()).then((data) => show(data.text)), 400);`,
  "client routing": `history.replaceState({}, "", path + "#part"); show("route " + location.hash);`,
  "pushed address": `history.pushState({ page: path }, "", path + "?tab=1"); show("tab " + new URLSearchParams(location.search).get("tab"));`,
  "scroll restoration": `history.scrollRestoration = "manual"; show("scrolled " + Math.round(scrollY));`,
  interval: `let n = 0; show("clock"); setInterval(() => { n += 1; document.title = "tick " + n; }, 50);`,
  "animation frames": `const turn = () => requestAnimationFrame(turn); turn(); show("animated");`,
  polling: `show("polling"); setInterval(() => fetch("/api/poll").catch(() => undefined), 300);`,
  "dedicated worker": `const worker = new Worker(URL.createObjectURL(new Blob(["postMessage('from the worker'); setInterval(() => undefined, 20);"]))); worker.onmessage = ({ data }) => show(data);`,
  "shared worker": `const worker = new SharedWorker("/shared-worker.js"); worker.port.onmessage = ({ data }) => show("connections: " + data); worker.port.start();`,
  "service worker": `navigator.serviceWorker.register("/service-worker.js").then(() => show("registered"), () => show("refused"));`,
  "broadcast channel": `const channel = new BroadcastChannel("n"); let heard = 0; channel.onmessage = () => { heard += 1; }; channel.postMessage("here"); setTimeout(() => show("heard " + heard), 100);`,
  dialog: `show("before the dialog"); setTimeout(() => alert("hello"), 50);`,
  confirmation: `setTimeout(() => show(confirm("sure?") ? "yes" : "no"), 20);`,
  "leave question": `show("unsaved"); addEventListener("beforeunload", (event) => { event.preventDefault(); event.returnValue = ""; });`,
  window: `open("/popup.html"); show("opened");`,
  "frame of the site": `const frame = document.createElement("iframe"); frame.src = "/frame.html?" + path; document.body.append(frame); frame.onload = () => show("frame loaded");`,
  "custom element": `customElements.define("x-part", class extends HTMLElement { connectedCallback() { this.attachShadow({ mode: "open" }).innerHTML = "<p>shadow of " + path + "</p>"; } }); document.body.append(document.createElement("x-part"));`,
  "patched built-ins": `Array.prototype.map = () => ["patched"]; JSON.stringify = () => "patched"; show("patched");`,
  "frozen prototypes": `Object.freeze(Object.prototype); Object.freeze(Array.prototype); show("frozen");`,
  "error in a script": `show("before the error"); throw new Error("broken");`,
  redirect: `if (!location.search) location.replace(path + "?moved"); else show("moved");`,
  reload: `if (!sessionStorage.getItem("again" + path)) { sessionStorage.setItem("again" + path, 1); location.reload(); } else show("loaded twice");`,
  "form state": `document.body.insertAdjacentHTML("beforeend", "<input id=q value=start>"); show("field " + document.getElementById("q").value); document.getElementById("q").value = "typed";`,
  "media query": `show(matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");`,
  "language and zone": `show(navigator.language + " " + Intl.DateTimeFormat().resolvedOptions().timeZone);`,
  permission: `navigator.permissions.query({ name: "geolocation" }).then(({ state }) => show(state));`,
  "performance entries": `show("navigations " + performance.getEntriesByType("navigation").length);`,
  "many elements": `document.body.insertAdjacentHTML("beforeend", Array.from({ length: 2000 }, (_, i) => "<p>row " + i + " of " + path + "</p>").join("")); show("rows");`,
  referrer: `show("referrer " + (document.referrer || "none"));`,
  "http cookie": `fetch("/api/cookie").then((r) => r.json()).then((data) => show("server saw " + data.text));`,
};

/** Applications whose text arrives in steps, or after something that has no text itself. */
const WAITING: Readonly<Record<string, string>> = {
  "three requests in a row": `let chain = Promise.resolve(); for (const at of [1, 2, 3]) chain = chain.then(() => fetch("/api/slow/150/" + at)).then((r) => r.json()).then((data) => show(data.text));`,
  "request after the first text": `show(LONG); setTimeout(() => fetch("/api/late" + path).then((r) => r.json()).then((data) => show(data.text)), 60);`,
  "timer after its data": `show(LONG); fetch("/api/slow/100" + path).then((r) => r.json()).then((data) => setTimeout(() => show(data.text + LONG), 200));`,
  "skeleton before its data": `const box = document.createElement("div"); box.className = "skeleton"; box.style.cssText = "width:300px;height:80px"; document.body.append(box); show(LONG); setTimeout(() => fetch("/api/skeleton" + path).then((r) => r.json()).then((data) => { box.remove(); show(data.text); }), 800);`,
  "busy region": `document.getElementById("app").setAttribute("aria-busy", "true"); show(LONG); setTimeout(() => { show("the rest " + LONG); document.getElementById("app").removeAttribute("aria-busy"); }, 900);`,
  "text after a picture": `show(LONG); const picture = new Image(); picture.onload = () => show("the picture is there"); picture.onerror = () => show("the picture is broken"); picture.src = "/picture.png?" + path;`,
  "text after a font": `show(LONG); new FontFace("Sample", "url(/sample.ttf)").load().then(() => show("the font is there"), () => show("the font is broken"));`,
  "text after a style sheet": `show(LONG); const sheet = document.createElement("link"); sheet.rel = "stylesheet"; sheet.href = "/sheet.css"; sheet.onload = () => show("the sheet is there"); sheet.onerror = () => show("the sheet is broken"); document.head.append(sheet);`,
  "text after a script": `show(LONG); const part = document.createElement("script"); part.src = "/part.js"; document.head.append(part);`,
  "text in view": `show(LONG); const end = document.createElement("div"); end.textContent = "…"; document.body.append(end); new IntersectionObserver(([entry], self) => { if (!entry.isIntersecting) return; self.disconnect(); fetch("/api/view" + path).then((r) => r.json()).then((data) => show(data.text)); }).observe(end);`,
  "text when idle": `show(LONG); requestIdleCallback(() => show("idle " + LONG));`,
  "streamed text": `show(LONG); fetch("/api/stream").then(async (r) => { let n = 0; for (const reader = r.body.getReader(); ;) { const { done } = await reader.read(); if (done) break; n += 1; show("chunk " + n); } });`,
  "video with an error text": `show(LONG); const video = document.createElement("video"); video.preload = "auto"; video.onerror = () => show("this video cannot be played"); video.src = "/film.webm"; document.body.append(video);`,
};

export const SAMPLE_APPLICATIONS: readonly SampleApplication[] = Object.entries({
  ...STORAGE,
  ...BEHAVIOR,
  ...WAITING,
}).map(([name, script]) => ({ name, script }));

const toPage = (title: string, script: string): string =>
  `<!doctype html><html lang="en"><title>${title}</title><body><h1>${title}</h1><main id="app"></main><script>
const path = location.pathname;
const LONG = "This sentence has enough words to be read as the text of a page that shows something already, before the rest of it arrives.";
const show = (text) => { const p = document.createElement("p"); p.textContent = path + ": " + text; document.getElementById("app").append(p); };
${script}</script>`;

/** Serves the applications: `/<index>/<page>`, and what they load. */
export function serveSamples(request: IncomingMessage, response: ServerResponse): void {
  const { pathname } = new URL(request.url ?? "/", "http://localhost");
  const send = (type: string, body: string, headers: Record<string, string> = {}): void => {
    response.writeHead(200, { "content-type": type, ...headers }).end(body);
  };
  const json = (text: string, headers = {}): void =>
    send("application/json", JSON.stringify({ text }), headers);
  if (pathname === "/api/cookie")
    return json(request.headers.cookie ?? "no cookie", {
      "set-cookie": "seen=1; Path=/; HttpOnly",
    });
  if (pathname.startsWith("/api/slow/")) {
    setTimeout(() => json(`data of ${pathname}`), Number(pathname.split("/")[3]));
    return;
  }
  if (pathname === "/api/stream") {
    response.writeHead(200, { "content-type": "text/plain" });
    let left = 4;
    const timer = setInterval(() => {
      response.write("part ");
      left -= 1;
      if (left > 0) return;
      clearInterval(timer);
      response.end();
    }, 150);
    return;
  }
  if (pathname === "/picture.png")
    return send("image/svg+xml", '<svg xmlns="http://www.w3.org/2000/svg" width="4" height="4"/>');
  if (pathname === "/sheet.css") return send("text/css", "p { color: navy }");
  if (pathname === "/part.js") return send("text/javascript", `show("from the part");`);
  if (pathname.startsWith("/api/")) return json(`data of ${pathname}`);
  if (pathname === "/shared-worker.js")
    return send(
      "text/javascript",
      "let n = 0; onconnect = ({ ports: [p] }) => p.postMessage(++n);",
    );
  if (pathname === "/service-worker.js") return send("text/javascript", "");
  if (pathname.endsWith(".html")) return send("text/html", "<p>other document</p>");
  const [, at, page = "0"] = pathname.split("/");
  const sample = SAMPLE_APPLICATIONS[Number(at)];
  if (sample === undefined) {
    response.writeHead(404).end();
    return;
  }
  send("text/html", toPage(`${sample.name}, page ${page}`, sample.script));
}
