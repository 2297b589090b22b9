/** Text that is not HTML, shown as HTML: escaped inside <pre>. */
export function preformatted(text: string): string {
  return `<pre>${text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")}</pre>`;
}
