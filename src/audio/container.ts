// Detects the container of a media file by its first bytes, with ffmpeg's format names. Unknown
// files are never passed to ffmpeg, and it never guesses, because a text that looks like a playlist
// would make it open other files.

/** Returns ffmpeg's name of the format, or undefined for unknown media. */
export function detectContainer(bytes: Uint8Array): string | undefined {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 1_024));
  const text = head.toString("latin1");
  if (/^[\s\S]{4}(?:ftyp|moov|moof|styp|sidx|mdat|free|skip|wide)/.test(text)) return "mov";
  if (text.startsWith("OggS")) return "ogg";
  if (text.startsWith("fLaC")) return "flac";
  if (/^RIFF[\s\S]{4}WAVE/.test(text)) return "wav";
  if (/^RIFF[\s\S]{4}AVI /.test(text)) return "avi";
  if (/^FORM[\s\S]{4}AIF[FC]/.test(text)) return "aiff";
  if (text.startsWith("\x1A\x45\xDF\xA3")) return "matroska";
  if (text.startsWith("#!AMR")) return "amr";
  if (text.startsWith("caff")) return "caf";
  if (text.startsWith("FLV\x01")) return "flv";
  if (text.startsWith("\x30\x26\xB2\x75\x8E\x66\xCF\x11")) return "asf";
  if (head[0] === 0x47 && (head[188] === 0x47 || head.length < 189)) return "mpegts";
  if (text.startsWith("\x00\x00\x01\xBA")) return "mpeg";
  if (head[0] === 0xff && ((head[1] ?? 0) & 0xf6) === 0xf0) return "aac";
  return isMp3(bytes) ? "mp3" : undefined;
}

const BITRATES_1 = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320];
const BITRATES_2 = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160];
const RATES = [44_100, 48_000, 32_000];

/**
 * True for MPEG audio layer III: an optional ID3 tag, then two consecutive frames (ISO 11172-3,
 * 2.4.2.3).
 */
export function isMp3(bytes: Uint8Array): boolean {
  let at = measureTag(bytes);
  const searched = Math.min(bytes.length - 4, at + 8_192);
  for (; at < searched; at++) {
    const length = measureFrame(bytes, at);
    if (length === 0) continue;
    if (at + length + 4 > bytes.length || measureFrame(bytes, at + length) > 0) return true;
  }
  return false;
}

/** Returns the length of an ID3v2 tag with its header; 0 if none. */
function measureTag(bytes: Uint8Array): number {
  if (bytes[0] !== 0x49 || bytes[1] !== 0x44 || bytes[2] !== 0x33) return 0;
  const size = [6, 7, 8, 9].reduce((sum, at) => sum * 128 + ((bytes[at] ?? 0) & 0x7f), 0);
  return size + 10;
}

function measureFrame(bytes: Uint8Array, at: number): number {
  const second = bytes[at + 1] ?? 0;
  const third = bytes[at + 2] ?? 0;
  if (bytes[at] !== 0xff || (second & 0xe6) !== 0xe2) return 0;
  const version = (second >> 3) & 3;
  const rate = RATES[(third >> 2) & 3];
  if (version === 1 || rate === undefined) return 0;
  const isFirst = version === 3;
  const kilobits = (isFirst ? BITRATES_1 : BITRATES_2)[third >> 4] ?? 0;
  if (kilobits === 0) return 0;
  const hertz = isFirst ? rate : version === 2 ? rate / 2 : rate / 4;
  const padding = (third >> 1) & 1;
  return Math.floor(((isFirst ? 144 : 72) * kilobits * 1_000) / hertz) + padding;
}
