// The live view page: a canvas for the pictures of its WebSocket. Nothing of the watched page but
// its picture gets into it.
import { randomBytes } from "node:crypto";

export type LivePage = { readonly html: string; readonly policy: string };

const STYLE = `html,body{margin:0;height:100%;background:#17181a;color:#ddd;font:14px system-ui,sans-serif}
body{display:flex;align-items:center;justify-content:center}canvas{max-width:100vw;max-height:100vh;outline:none}
p{position:fixed;left:12px;bottom:8px;margin:0;opacity:.8}`;

const SCRIPT = `const canvas = document.querySelector("canvas"), note = document.querySelector("p");
const control = document.body.dataset.control === "yes";
const socket = new WebSocket(location.href.replace(/^http/, "ws").replace(/[?#].*$/, "") + "/screen");
socket.binaryType = "blob";
let drawing = Promise.resolve();
socket.onmessage = ({ data }) => { drawing = drawing.then(() => draw(data)).catch(() => {}); };
socket.onclose = () => { note.textContent = "The session has ended."; };
async function draw(blob) {
  const picture = await createImageBitmap(blob);
  if (canvas.width !== picture.width || canvas.height !== picture.height) { canvas.width = picture.width; canvas.height = picture.height; }
  canvas.getContext("2d").drawImage(picture, 0, 0);
  picture.close();
  note.textContent = "";
}
if (control) {
  const send = (input) => { if (socket.readyState === 1) socket.send(JSON.stringify(input)); };
  const at = (event) => {
    const box = canvas.getBoundingClientRect();
    const part = (value) => Math.min(1, Math.max(0, value));
    return { x: part((event.clientX - box.left) / box.width), y: part((event.clientY - box.top) / box.height) };
  };
  const buttons = ["left", "middle", "right"];
  let moved = 0;
  canvas.onpointermove = (event) => { if (performance.now() - moved > 30) { moved = performance.now(); send({ type: "move", ...at(event) }); } };
  canvas.onpointerdown = (event) => { canvas.focus(); send({ type: "down", ...at(event), button: buttons[event.button] ?? "left" }); };
  canvas.onpointerup = (event) => send({ type: "up", ...at(event), button: buttons[event.button] ?? "left" });
  canvas.oncontextmenu = (event) => event.preventDefault();
  canvas.addEventListener("wheel", (event) => { event.preventDefault(); send({ type: "wheel", ...at(event), dx: event.deltaX, dy: event.deltaY }); }, { passive: false });
  for (const type of ["keydown", "keyup"])
    addEventListener(type, (event) => { if (event.key === "Unidentified" || event.key === "Dead") return; event.preventDefault(); send({ type, key: event.key }); });
}`;

/**
 * Returns the page and its content policy, which allows only its own scripts, styles and
 * connections.
 */
export function buildLivePage(control: boolean): LivePage {
  const nonce = randomBytes(16).toString("base64");
  const html = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Live view</title><meta name="viewport" content="width=device-width">
<style nonce="${nonce}">${STYLE}</style></head>
<body data-control="${control ? "yes" : "no"}"><canvas tabindex="0" width="16" height="9"></canvas><p>Waiting for a picture …</p>
<script nonce="${nonce}">${SCRIPT}</script></body></html>`;
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src 'nonce-${nonce}'`,
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  return { html, policy };
}
