import { describe, expect, it } from "vitest";
import { channelSchema } from "../contract/jobs/monitor-channels.ts";
import { buildMessage } from "./message.ts";
import { computeDueTime, type NoticePayload } from "./notices.ts";

const at = (text: string): number => Date.parse(text);
const channel = (fields: object) =>
  channelSchema.parse({ type: "slack", url: "https://hooks.example/1", ...fields });
const load = { timezone: "Europe/Berlin", sentInHour: 0 };
const due = (fields: object, now: string, sentInHour = 0): string =>
  new Date(computeDueTime(channel(fields), at(now), { ...load, sentInHour })).toISOString();

describe("time of a notification", () => {
  it("sends a notice at once without delivery rules", () => {
    expect(due({}, "2026-07-01T12:34:56Z")).toBe("2026-07-01T12:34:56.000Z");
  });

  it("postpones a notice to the end of the quiet hours in the monitor's time zone, also across midnight", () => {
    const quiet = { quietHours: { from: "22:00", to: "07:00" } };
    expect(due(quiet, "2026-07-01T21:30:00Z")).toBe("2026-07-02T05:00:00.000Z");
    expect(due(quiet, "2026-07-02T04:59:00Z")).toBe("2026-07-02T05:00:00.000Z");
    expect(due(quiet, "2026-07-02T05:00:00Z")).toBe("2026-07-02T05:00:00.000Z");
    expect(due(quiet, "2026-07-02T19:59:00Z")).toBe("2026-07-02T19:59:00.000Z");
  });

  it("postpones all notices until the next digest", () => {
    expect(due({ digestMinutes: 60 }, "2026-07-01T12:01:00Z")).toBe("2026-07-01T13:00:00.000Z");
    expect(due({ digestMinutes: 60 }, "2026-07-01T12:59:00Z")).toBe("2026-07-01T13:00:00.000Z");
  });

  it("postpones a notice to the next hour when the channel's hourly limit is reached", () => {
    expect(due({ maxPerHour: 3 }, "2026-07-01T12:10:00Z", 2)).toBe("2026-07-01T12:10:00.000Z");
    expect(due({ maxPerHour: 3 }, "2026-07-01T12:10:00Z", 3)).toBe("2026-07-01T13:00:00.000Z");
  });
});

describe("message of notifications", () => {
  const payload = (fields: Partial<NoticePayload> = {}): NoticePayload => ({
    event: "change",
    monitorId: "m",
    monitorName: "Prices\r\nBcc: x@y.example",
    checkId: "c",
    pages: [
      {
        targetId: "t",
        url: 'javascript:alert("1")',
        status: "changed",
        title: "<img src=x onerror=alert(1)>",
        reason: "",
        added: ['<script>alert("1")</script>'],
        removed: [],
      },
    ],
    more: 0,
    at: 0,
    ...fields,
  });

  it("escapes page text in HTML, links to web pages only, and keeps its title on one line", () => {
    const { title, html, text } = buildMessage([payload()]);
    expect(title).toBe("Prices Bcc: x@y.example: <img src=x onerror=alert(1)> changed");
    expect(html).not.toMatch(/<script|<img|href="javascript/);
    expect(html).toContain("&lt;script&gt;");
    expect(text).toContain('+ <script>alert("1")</script>');
  });

  it("counts the pages of several notifications, and those it does not show", () => {
    const { title, text } = buildMessage([payload({ more: 70 }), payload({ event: "broken" })]);
    expect(title).toBe("Prices Bcc: x@y.example: at least 71 pages need attention");
    expect(text).toContain("And 70 more.");
  });
});
