// HTTP Live Streaming playlists (RFC 8216): selects the audio and lists its segments.

export type HlsPiece = {
  readonly url: string;
  /** First byte and length within the resource; undefined for all of it. */
  readonly range: { readonly from: number; readonly length: number } | undefined;
};

export type Playlist =
  /** A master playlist, with the selected audio playlist. */
  | { readonly kind: "master"; readonly url: string | undefined }
  | {
      readonly kind: "media";
      readonly pieces: readonly HlsPiece[];
      readonly seconds: number;
      /** True if it has more segments than the limit. */
      readonly isCut: boolean;
      /** True for a live playlist without an end. */
      readonly isLive: boolean;
      /** Encryption method of the segments, or undefined. */
      readonly encryption: string | undefined;
    };

/** Larger playlists are not parsed, because that would block this process. */
export const MAX_PLAYLIST_BYTES = 8 * 1024 * 1024;
const MAX_PIECES = 20_000;
/** Real streams have a dozen or two variants. */
const MAX_VARIANTS = 1_000;

/** Parses a playlist fetched from `url`. Returns undefined for other texts. */
export function readPlaylist(text: string, url: string): Playlist | undefined {
  const lines = text.split(/\r?\n/).map((line) => line.trim());
  if (!lines[0]?.replace(/^\uFEFF/, "").startsWith("#EXTM3U")) return undefined;
  return lines.some((line) => line.startsWith("#EXT-X-STREAM-INF"))
    ? { kind: "master", url: chooseSound(lines, url) }
    : readMedia(lines, url);
}

/** `NAME=value,NAME="value"` (section 4.2). */
function parseAttributes(line: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const [, name = "", quoted, plain = ""] of line.matchAll(
    /([A-Z0-9-]{1,64})=(?:"([^"]*)"|([^,]*))/g,
  ))
    found.set(name, quoted ?? plain);
  return found;
}

const resolve = (written: string, base: string): string | undefined =>
  URL.parse(written, base)?.href;

/**
 * Returns the cheapest audio: an audio-only rendition, else the variant with the lowest bandwidth
 * that has audio.
 */
function chooseSound(lines: readonly string[], base: string): string | undefined {
  const renditions = lines
    .filter((line) => line.startsWith("#EXT-X-MEDIA:"))
    .map(parseAttributes)
    .filter((media) => media.get("TYPE") === "AUDIO" && media.has("URI"));
  const main =
    renditions.find((media) => media.get("DEFAULT") === "YES") ??
    renditions.find((media) => media.get("AUTOSELECT") === "YES") ??
    renditions[0];
  const uri = main?.get("URI");
  if (uri !== undefined) return resolve(uri, base);
  const variants = listVariants(lines).flatMap(({ line, uri: written }) => {
    const attributes = parseAttributes(line);
    const codecs = attributes.get("CODECS") ?? "";
    const isSilent = codecs !== "" && !/mp4a|opus|ac-3|ec-3|flac|vorbis/i.test(codecs);
    const bandwidth = Number(attributes.get("BANDWIDTH") ?? 0);
    return isSilent ? [] : [{ url: resolve(written, base), bandwidth }];
  });
  return variants.toSorted((one, other) => one.bandwidth - other.bandwidth)[0]?.url;
}

/** A variant has one tag line; its URI is the next line that is not a comment (section 4.3.4.2). */
function listVariants(lines: readonly string[]): { line: string; uri: string }[] {
  const found: { line: string; uri: string }[] = [];
  let streamLine: string | undefined;
  for (const line of lines) {
    if (line.startsWith("#EXT-X-STREAM-INF:")) streamLine = line;
    else if (streamLine !== undefined && line !== "" && !line.startsWith("#")) {
      found.push({ line: streamLine, uri: line });
      streamLine = undefined;
      if (found.length >= MAX_VARIANTS) break;
    }
  }
  return found;
}

function readMedia(lines: readonly string[], base: string): Playlist {
  const pieces: HlsPiece[] = [];
  let seconds = 0;
  let isCut = false;
  let encryption: string | undefined;
  let range: { length: number; from: number | undefined } | undefined;
  const ends = new Map<string, number>();
  const add = (written: string, bytes = range): void => {
    const url = resolve(written, base);
    range = undefined;
    isCut ||= pieces.length >= MAX_PIECES;
    if (url === undefined || isCut) return;
    if (bytes === undefined) {
      pieces.push({ url, range: undefined });
      return;
    }
    // Without an offset, a segment starts where the previous one in the same resource ends (section
    // 4.3.2.2).
    const from = bytes.from ?? ends.get(url) ?? 0;
    ends.set(url, from + bytes.length);
    pieces.push({ url, range: { from, length: bytes.length } });
  };
  for (const line of lines) {
    if (line.startsWith("#EXTINF:")) seconds += Number.parseFloat(line.slice(8)) || 0;
    else if (line.startsWith("#EXT-X-BYTERANGE:")) range = parseByteRange(line.slice(17));
    else if (line.startsWith("#EXT-X-MAP:")) {
      const attributes = parseAttributes(line);
      const bytes = attributes.get("BYTERANGE");
      add(attributes.get("URI") ?? "", bytes === undefined ? undefined : parseByteRange(bytes));
    } else if (line.startsWith("#EXT-X-KEY:")) {
      const method = parseAttributes(line).get("METHOD") ?? "NONE";
      if (method !== "NONE") encryption = method;
    } else if (line !== "" && !line.startsWith("#")) add(line);
  }
  const isLive = !lines.includes("#EXT-X-ENDLIST");
  return { kind: "media", pieces, seconds, isCut, isLive, encryption };
}

function parseByteRange(written: string): { length: number; from: number | undefined } | undefined {
  const [, length, from] = /^(\d+)(?:@(\d+))?$/.exec(written.trim()) ?? [];
  if (length === undefined) return undefined;
  return { length: Number(length), from: from === undefined ? undefined : Number(from) };
}
