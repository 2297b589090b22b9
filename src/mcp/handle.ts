// Handles of pages that were read: the rest of an answer is read from there without another fetch.

const PREFIX = "quarry://capture/";
const HANDLE = /^quarry:\/\/capture\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?:#(.*))?$/i;

export type Handle = { readonly scrapeId: string; readonly section: string | undefined };

/** Undefined for other text. */
export function parseHandle(text: string): Handle | undefined {
  const [, scrapeId, fragment] = HANDLE.exec(text.trim()) ?? [];
  if (scrapeId === undefined) return undefined;
  const section = fragment === undefined || fragment === "" ? undefined : decode(fragment);
  return { scrapeId: scrapeId.toLowerCase(), section };
}

export const writeHandle = (scrapeId: string, section?: number): string =>
  `${PREFIX}${scrapeId}${section === undefined ? "" : `#${section}`}`;

/** The URI template of handles (RFC 6570). */
export const HANDLE_TEMPLATE = `${PREFIX}{id}`;

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
