// Types for the used part of the S3 server, which has none.
declare module "s3rver" {
  import type { IncomingMessage, ServerResponse } from "node:http";

  type Bucket = { name: string; configs: readonly string[] };

  export default class S3rver {
    constructor(options: { directory: string; silent: boolean; configureBuckets: Bucket[] });
    configureBuckets(): Promise<unknown>;
    getMiddleware(): (request: IncomingMessage, response: ServerResponse) => void;
  }
}
