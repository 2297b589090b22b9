/** Files of the console are compressed once and sent often. */
export const COMPRESSION_LEVEL = 9;
