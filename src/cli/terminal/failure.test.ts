import { describe, expect, it } from "vitest";
import { StorageError } from "../../errors.ts";
import { createBlobError } from "../../store/blobs/blobs.ts";
import { describeFailure } from "./failure.ts";

describe("describeFailure", () => {
  it("adds the reason to a failure of the operator's own storage", () => {
    const denied = createBlobError("writing", new Error("Access Denied"));
    expect(describeFailure(denied)).toBe(
      "The blob store failed while writing; try again in a moment. Reason: Access Denied",
    );
    const refused = Object.assign(new Error(""), { code: "ECONNREFUSED" });
    expect(describeFailure(new StorageError("database", "No database.", { cause: refused }))).toBe(
      "No database. Reason: ECONNREFUSED",
    );
  });

  it("adds no reason that the error does not have", () => {
    expect(describeFailure(new StorageError("database", "No database."))).toBe("No database.");
  });
});
