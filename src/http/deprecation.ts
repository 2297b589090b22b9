/** Headers of a response from a deprecated route (wire contract 1.10; RFC 8288 for Link). */
export function buildDeprecationHeaders({
  replacement,
}: {
  readonly replacement: string | undefined;
}): Record<string, string> {
  if (replacement === undefined)
    return { deprecation: "true", warning: '299 - "This route is deprecated."' };
  return {
    deprecation: "true",
    link: `<${replacement.replace(/\/\{\w+\}.*$/, "")}>; rel="successor-version"`,
    warning: `299 - "This route is deprecated; use ${replacement}."`,
  };
}
