// Headers of a caller for one origin: sent to it, and taken away where a redirect leads elsewhere.

/**
 * Adds the headers for the target's origin. For other origins, only removes headers that a redirect
 * carried along. Names in `headers` are in lower case.
 */
export function withOriginHeaders(
  request: { readonly url: string; readonly headers: Readonly<Record<string, string>> },
  headers: Readonly<Record<string, string>>,
  origin: string,
): { name: string; value: string }[] {
  const own = URL.parse(request.url)?.origin === origin;
  const kept = Object.entries(request.headers).filter(([name, value]) => {
    const given = headers[name.toLowerCase()];
    return given === undefined || (!own && given !== value);
  });
  const list = [...kept, ...(own ? Object.entries(headers) : [])];
  return list.map(([name, value]) => ({ name, value }));
}
