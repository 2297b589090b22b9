/**
 * The version in package.json; sent with every request body as part of its origin. A test keeps the
 * two equal.
 */
export const CLIENT_VERSION = "0.1.0";

/** Value of `origin` in requests. */
export const ORIGIN: string = `quarry-client@${CLIENT_VERSION}`;
