/** Shows text that is not HTML as HTML: escaped inside <pre>. */
export function wrapPreformatted(text: string): string {
  return `<pre>${text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")}</pre>`;
}
