// Entry of a worker thread: one exported function, called by the pool with a message.
import { deriveWithTokens } from "../derive.ts";

// piscina calls the default export of the file it is given.
// oxlint-disable-next-line import/no-default-export
export default deriveWithTokens;

/** Called by its name. */
export { describePage, learnExtractor, replayPrograms } from "./learn-extractor.ts";
