import { describe, expect, it, vi } from "vitest";
import { createLogger } from "../../log.ts";
import { createRequestLog, type RequestLogParent } from "./request-log.ts";

function setUp(level: string) {
  const lines: Record<string, unknown>[] = [];
  const write = (line: string): void => {
    lines.push(JSON.parse(line) as Record<string, unknown>);
  };
  const parent: RequestLogParent = createLogger(level, { write });
  const child = vi.spyOn(parent, "child");
  return { lines, parent, child };
}

describe("the log of a request", () => {
  it("carries what it is bound to in every line, and hides secrets", () => {
    const { lines, parent } = setUp("info");
    const log = createRequestLog(parent, { reqId: "r1", apiKey: "qy-secret" });
    log.info({ token: "t", route: "/a" }, "answered");
    log.error(new Error("broken"));
    log.child({ step: 2 }).warn("odd");
    expect(lines).toMatchObject([
      { level: "info", reqId: "r1", apiKey: "***", token: "***", route: "/a", msg: "answered" },
      { level: "error", reqId: "r1", msg: "broken", err: { message: "broken" } },
      { level: "warn", reqId: "r1", step: 2, msg: "odd" },
    ]);
  });

  it("makes one child, and none when nothing is written", () => {
    const { lines, parent, child } = setUp("warn");
    const log = createRequestLog(parent, { reqId: "r1" });
    log.info("not written");
    log.debug("not written");
    expect(log.level).toBe("warn");
    expect(child).not.toHaveBeenCalled();
    log.warn("one");
    log.fatal("two");
    expect(lines.map(({ msg }) => msg)).toEqual(["one", "two"]);
    expect(child).toHaveBeenCalledTimes(1);
  });

  it("has a level of its own where it is given one or gets one", () => {
    const { lines, parent } = setUp("warn");
    createRequestLog(parent, { reqId: "r1" }, { level: "debug" }).debug("one");
    const later = createRequestLog(parent, { reqId: "r2" });
    later.level = "info";
    later.info("two");
    later.trace("not written");
    expect(lines.map(({ reqId, msg }) => [reqId, msg])).toEqual([
      ["r1", "one"],
      ["r2", "two"],
    ]);
    expect(parent.level).toBe("warn");
  });
});
