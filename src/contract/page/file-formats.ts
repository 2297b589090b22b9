/**
 * Formats whose field is the URL of a file that the server keeps; zero data retention excludes
 * them.
 */
export const FILE_FORMATS = ["screenshot", "audio", "video"] as const;
