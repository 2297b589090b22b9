// A page that does not exist, sent with the status of one that does.
import { buildFalseContent } from "../../families/false-content.ts";

const SOFT_404 = `<!doctype html><html><head><title>404 - Page not found</title></head><body><h1>404</h1><h2>Page not found</h2>
<p>Sorry, the page you are looking for does not exist or has been moved.</p><a href="/">Back to the home page</a></body></html>`;

export const soft404 = buildFalseContent({
  name: "soft-404",
  attack: "A page that does not exist answers 200.",
  severity: "low",
  html: SOFT_404,
});
