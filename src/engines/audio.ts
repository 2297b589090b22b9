// Fetches the audio of a page as one MP3: tries its sources in order through the gate until one has
// sound.
import { detectContainer } from "../audio/container.ts";
import type { AudioSource } from "../audio/find-audio.ts";
import { MAX_PLAYLIST_BYTES, readPlaylist, type HlsPiece } from "../audio/hls.ts";
import { createTranscoder, createUnsupportedError, type Transcoder } from "../audio/transcoder.ts";
import { Semaphore } from "../semaphore.ts";
import { createYtDlp, type YtDlp } from "../audio/yt-dlp.ts";
import type { Capture, CapturedFile } from "../capture.ts";
import type { Config } from "../config.ts";
import type { Deadline } from "../deadline.ts";
import type { Egress } from "../egress/dispatchers.ts";
import { RequestError, TargetError } from "../errors.ts";
import { getAudioFolder } from "../store/database/data-folder.ts";
import { classifyRedirect } from "../url/redirect.ts";
import type { Engine } from "./engine.ts";
import type { HttpFetch } from "./http.ts";
import { checkHeaders, filterHeadersForRedirect, type Headers } from "./http-headers.ts";

export type AudioOptions = {
  /** The page, or the media file itself. */
  readonly capture: Capture;
  readonly sources: readonly AudioSource[];
  /** The caller's headers for the page; they are forwarded like on a redirect. */
  readonly headers: Headers;
  readonly skipTlsVerification: boolean;
  readonly country: string | undefined;
};

export type AudioEngine = {
  /**
   * Throws SCRAPE_AUDIO_UNSUPPORTED_URL when the page has no usable audio; SCRAPE_TIMEOUT at the
   * deadline.
   */
  bring(options: AudioOptions, deadline: Deadline): Promise<CapturedFile>;
};

export type AudioParts = {
  readonly http: Engine<HttpFetch>;
  readonly egress: Pick<Egress, "selectProxy" | "hasProxy">;
  readonly transcoder: Transcoder;
  /** Undefined unless the operator enabled it. */
  readonly ytDlp: YtDlp | undefined;
  readonly maxBytes: number;
};

const MIB = 1024 * 1024;
/** Maximum transcodings at once; each takes a CPU. */
const MAX_TRANSCODINGS = 2;
/** Maximum requests whose media are in memory: each takes up to twice the byte limit. */
const MAX_BUFFERED_REQUESTS = 4;

export function openAudioEngine(
  config: Pick<Config, "dataDir" | "ffmpeg" | "audioMaxMiB" | "ytDlp">,
  { http, egress }: { readonly http: AudioParts["http"]; readonly egress: Egress },
): AudioEngine {
  const maxBytes = config.audioMaxMiB * MIB;
  const folder = getAudioFolder(config);
  const transcoder = createTranscoder({
    ffmpeg: config.ffmpeg,
    folder,
    maxBytes,
    atOnce: MAX_TRANSCODINGS,
  });
  const ytDlp = config.ytDlp && createYtDlp({ path: config.ytDlp, egress, folder, maxBytes });
  return createAudioEngine({ http, egress, transcoder, ytDlp: ytDlp || undefined, maxBytes });
}

const MAX_TRIES = 5;
const MAX_PLAYLISTS = 3;
const MAX_CONCURRENT_SEGMENTS = 4;
/** Maximum size of the next segment, as a multiple of earlier ones. */
const MAX_SEGMENT_GROWTH = 8;
const MEDIA = /^(?:audio|video)\/|^application\/(?:ogg|mp4|(?:vnd\.apple\.|x-)mpegurl)$/;

export function createAudioEngine(parts: AudioParts): AudioEngine {
  const semaphore = new Semaphore(MAX_BUFFERED_REQUESTS);
  return {
    bring: (options, deadline) =>
      semaphore.run(() => downloadAudio(parts, options, deadline), deadline),
  };
}

async function downloadAudio(
  parts: AudioParts,
  options: AudioOptions,
  deadline: Deadline,
): Promise<CapturedFile> {
  const { capture, sources } = options;
  const isMedia = MEDIA.test(capture.mimeType) || detectContainer(capture.body) !== undefined;
  const reasons: string[] = [];
  const tries = isMedia ? [capture.finalUrl] : sources.map(({ url }) => url);
  for (const url of tries.slice(0, MAX_TRIES)) {
    const fetching = new MediaFetch(parts, options, deadline);
    try {
      const bytes = isMedia
        ? await fetching.open(capture.body, url)
        : await fetching.open(await fetching.fetch(url), url);
      return await toMp3(parts, bytes, deadline);
    } catch (error) {
      // The page chose these URLs, not the caller, so a refusal only skips the source.
      if (!(error instanceof TargetError || error instanceof RequestError)) throw error;
      reasons.push(error.message.replace(/^No audio is available for this URL: |\.$/g, ""));
    }
  }
  const known = await askYtDlp(parts, options, deadline);
  if (known !== undefined) return await toMp3(parts, known, deadline);
  throw createUnsupportedError(
    reasons.length === 0
      ? "the page names none (players that scripts build are not seen without a browser)"
      : [...new Set(reasons)].join(". "),
  );
}

async function toMp3(
  { transcoder }: AudioParts,
  bytes: Uint8Array,
  deadline: Deadline,
): Promise<CapturedFile> {
  const mp3 = detectContainer(bytes) === "mp3" ? bytes : await transcoder.toMp3(bytes, deadline);
  return { mimeType: "audio/mpeg", bytes: mp3 };
}

async function askYtDlp(
  { ytDlp, egress }: AudioParts,
  { capture, country }: AudioOptions,
  deadline: Deadline,
): Promise<Uint8Array | undefined> {
  const proxy = egress.selectProxy("basic", findCountry(egress, country));
  return await ytDlp?.fetch(capture.finalUrl, proxy, deadline);
}

const findCountry = (
  egress: AudioParts["egress"],
  country: string | undefined,
): string | undefined =>
  country !== undefined && egress.hasProxy("basic", country) ? country : undefined;

/** The caller's headers that reached the page and may be forwarded to the media. */
function buildHeaders({ capture, headers }: AudioOptions, url: string): Headers {
  const { requestedUrl, redirects, finalUrl } = capture;
  const way = [requestedUrl, ...redirects, finalUrl, url].map((address) => new URL(address));
  return way.reduce((left, to, at) => {
    const from = way[at - 1];
    return from === undefined ? left : filterHeadersForRedirect(left, classifyRedirect(from, to));
  }, checkHeaders(headers).headers);
}

/** Fetches the bytes of one source within one limit over all requests. */
class MediaFetch {
  readonly #parts: AudioParts;
  readonly #options: AudioOptions;
  readonly #deadline: Deadline;
  #bytesLeft: number;

  constructor(parts: AudioParts, options: AudioOptions, deadline: Deadline) {
    this.#parts = parts;
    this.#options = options;
    this.#deadline = deadline;
    this.#bytesLeft = parts.maxBytes;
  }

  /** Fetches one of `among` concurrent requests, each with its share of the remaining bytes. */
  async fetch(url: string, range?: HlsPiece["range"], among = 1): Promise<Uint8Array> {
    const { egress, http } = this.#parts;
    const { skipTlsVerification, country } = this.#options;
    const outcome = await http.fetch(
      {
        url,
        headers: {
          ...buildHeaders(this.#options, url),
          ...(range === undefined
            ? {}
            : { range: `bytes=${range.from}-${range.from + range.length - 1}` }),
        },
        skipTlsVerification,
        proxy: egress.selectProxy("basic", findCountry(egress, country)),
        maxBytes: Math.max(1, Math.floor(this.#bytesLeft / among)),
      },
      this.#deadline,
    );
    if (outcome.kind === "failed") throw outcome.error;
    if (outcome.kind === "unsuitable") throw createUnsupportedError(outcome.missing);
    const { statusCode, body } = outcome.capture;
    if (statusCode >= 400) throw createUnsupportedError(`${url} answers ${statusCode}`);
    const bytes =
      range !== undefined && statusCode !== 206
        ? body.subarray(range.from, range.from + range.length)
        : body;
    this.#bytesLeft -= body.length;
    if (this.#bytesLeft < 0)
      throw createUnsupportedError(`its media is larger than ${this.#parts.maxBytes / MIB} MiB`);
    return bytes;
  }

  /** Returns the bytes, or all segments if they are the playlist of a stream. */
  async open(bytes: Uint8Array, url: string): Promise<Uint8Array> {
    let text = bytes;
    let from = url;
    for (let depth = 0; depth < MAX_PLAYLISTS; depth++) {
      const start = Buffer.from(text.subarray(0, 200)).toString("utf8");
      if (/<MPD[\s>]/.test(start))
        throw createUnsupportedError("its audio is a DASH stream, which is not read");
      if (!start.replace(/^\uFEFF/, "").startsWith("#EXTM3U")) return text;
      if (text.length > MAX_PLAYLIST_BYTES)
        throw createUnsupportedError(`its playlist is larger than ${MAX_PLAYLIST_BYTES / MIB} MiB`);
      const list = readPlaylist(Buffer.from(text).toString("utf8"), from);
      if (list === undefined) return text;
      if (list.kind === "media") return await this.#join(list);
      if (list.url === undefined)
        throw createUnsupportedError("its playlist has no stream with sound");
      from = list.url;
      text = await this.fetch(from);
    }
    throw createUnsupportedError("its playlist leads to further playlists");
  }

  async #join(list: Extract<ReturnType<typeof readPlaylist>, { kind: "media" }>): Promise<Buffer> {
    if (list.encryption !== undefined)
      throw createUnsupportedError(`its stream is encrypted (${list.encryption})`);
    if (list.isLive) throw createUnsupportedError("its stream is live and has no end");
    if (list.isCut) throw createUnsupportedError("its playlist has too many pieces");
    if (list.pieces.length === 0) throw createUnsupportedError("its playlist is empty");
    const parts: Uint8Array[] = [];
    let largest = 0;
    while (parts.length < list.pieces.length) {
      // Near the limit, and until the segment size is known, segments are fetched one by one with
      // the whole remainder.
      const room = largest === 0 ? 1 : Math.floor(this.#bytesLeft / (MAX_SEGMENT_GROWTH * largest));
      const next = list.pieces.slice(
        parts.length,
        parts.length + Math.max(1, Math.min(MAX_CONCURRENT_SEGMENTS, room)),
      );
      const came = await Promise.all(
        next.map((piece) => this.fetch(piece.url, piece.range, next.length)),
      );
      for (const part of came) largest = Math.max(largest, part.length);
      parts.push(...came);
    }
    return Buffer.concat(parts);
  }
}
