import { describe, expect, it } from "vitest";
import { parseS3Location } from "./blob-s3.ts";

describe("S3 location", () => {
  it("reads bucket, prefix and client parameters from an S3 location", () => {
    expect(parseS3Location("s3://pages")).toEqual({
      bucket: "pages",
      prefix: "",
      region: "us-east-1",
      endpoint: undefined,
      forcePathStyle: false,
    });
    expect(
      parseS3Location("s3://pages/a/b/?region=eu-west-1&endpoint=https://s3.example:9000"),
    ).toEqual({
      bucket: "pages",
      prefix: "a/b/",
      region: "eu-west-1",
      endpoint: "https://s3.example:9000",
      forcePathStyle: true,
    });
    expect(
      parseS3Location("s3://pages?endpoint=http://h&forcePathStyle=false").forcePathStyle,
    ).toBe(false);
  });

  it("rejects an S3 location with unknown or invalid parts", () => {
    for (const wrong of [
      "s3:pages",
      "s3://",
      "s3://UPPER",
      "s3://pages?regoin=x",
      "s3://pages?endpoint=ftp://x",
      "s3://pages#x",
    ])
      expect(() => parseS3Location(wrong), wrong).toThrow(/QUARRY_BLOBS/);
  });
});
