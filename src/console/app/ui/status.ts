// States always as icon, word and color.
import type { VNode } from "preact";
import { dom } from "./dom.ts";
import { icon, type IconName } from "./icons.ts";

export type Tone = "green" | "amber" | "red" | "blue" | "gray" | "violet";

const TONES: Readonly<Record<string, readonly [Tone, IconName]>> = {
  running: ["blue", "run"],
  processing: ["blue", "run"],
  scraping: ["blue", "run"],
  working: ["blue", "run"],
  active: ["green", "check"],
  pending: ["gray", "clock"],
  waiting: ["gray", "clock"],
  queued: ["gray", "clock"],
  completed: ["green", "check"],
  succeeded: ["green", "check"],
  delivered: ["green", "check"],
  content: ["green", "check"],
  fetched: ["green", "check"],
  ok: ["green", "check"],
  valid: ["green", "check"],
  saved: ["green", "save"],
  ready: ["green", "check"],
  drifted: ["amber", "warn"],
  challenge: ["amber", "warn"],
  blocked: ["red", "stop"],
  login_wall: ["amber", "key"],
  error_page: ["red", "warn"],
  empty_shell: ["amber", "dash"],
  soft_404: ["amber", "search"],
  thin: ["amber", "dash"],
  empty: ["amber", "dash"],
  same: ["gray", "dash"],
  new: ["blue", "plus"],
  changed: ["amber", "changes"],
  removed: ["red", "trash"],
  failed: ["red", "cross"],
  error: ["red", "warn"],
  revoked: ["red", "cross"],
  disabled: ["red", "cross"],
  cancelled: ["gray", "stop"],
  expired: ["gray", "clock"],
  ended: ["gray", "dash"],
};

export function badge(word: string, tone: Tone, name: IconName, isMoving = false): VNode {
  return dom.span(
    { class: `badge ${tone}` },
    icon(name, { size: 12, ...(isMoving && { class: "pulse" }) }),
    word,
  );
}

/** The badge of a known state; unknown ones are gray. */
export function statusBadge(state: string): VNode {
  const [tone, name] = TONES[state] ?? ["gray", "dash"];
  return badge(state.replaceAll("_", " "), tone, name, name === "run");
}
