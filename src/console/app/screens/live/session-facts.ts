// Browser sessions as the API lists them.
export type BrowserSession = {
  readonly id: string;
  readonly status: "active" | "destroyed";
  readonly liveViewUrl: string;
  readonly interactiveLiveViewUrl?: string;
  readonly createdAt: string;
  readonly lastActivity: string;
  readonly expiresAt: string;
  readonly activityTtl?: number;
  readonly url?: string;
  readonly title?: string;
  readonly profile?: string;
};

export type SavedProfile = {
  readonly name: string;
  readonly savedAt: string | null;
  readonly sizeBytes: number;
  readonly inUse: boolean;
};

export const sessionPath = ({ id }: Pick<BrowserSession, "id">): string => `/console/live/${id}`;

/** Adds https:// to an address without a scheme. */
export const toAddress = (text: string): string => {
  const given = text.trim();
  return given === "" || /^[a-z][a-z0-9+.-]*:/i.test(given) ? given : `https://${given}`;
};

/** 9:41; hours are minutes. */
export function formatClock(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1_000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
