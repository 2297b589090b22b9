// The settings of the audio format.
import { readAnyText, defineRow, readWhole } from "./checks.ts";

export const AUDIO_SETTINGS = {
  ffmpeg: defineRow(
    "audio",
    "QUARRY_FFMPEG",
    readAnyText,
    "",
    'Path of the ffmpeg that converts other audio to MP3, or "off". When not set, one on the PATH is used, or that of the package @ffmpeg-installer/… if installed.',
  ),
  audioMaxMiB: defineRow(
    "audio",
    "QUARRY_AUDIO_MAX_MIB",
    readWhole(1, 4_096),
    "200",
    "Maximum mebibytes that the audio format reads of a media file or stream, and of its MP3.",
  ),
  ytDlp: defineRow(
    "audio",
    "QUARRY_YT_DLP",
    readAnyText,
    "",
    "Path of a yt-dlp that the audio format may run for pages whose audio it does not find itself. Its connections pass the same gate; check whether a site allows this. Off when not set.",
  ),
} as const;
