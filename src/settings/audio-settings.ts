// The settings of the audio format.
import { anyText, row, whole } from "./checks.ts";

export const AUDIO_SETTINGS = {
  ffmpeg: row(
    "audio",
    "QUARRY_FFMPEG",
    anyText,
    "",
    'Path of the ffmpeg that converts other audio to MP3, or "off". When not set, one on the PATH is used, or that of the package @ffmpeg-installer/… if installed.',
  ),
  audioMaxMiB: row(
    "audio",
    "QUARRY_AUDIO_MAX_MIB",
    whole(1, 4_096),
    "200",
    "Maximum mebibytes that the audio format reads of a media file or stream, and of its MP3.",
  ),
  ytDlp: row(
    "audio",
    "QUARRY_YT_DLP",
    anyText,
    "",
    "Path of a yt-dlp that the audio format may run for pages whose audio it does not find itself. Its connections pass the same gate; check whether a site allows this. Off when not set.",
  ),
} as const;
