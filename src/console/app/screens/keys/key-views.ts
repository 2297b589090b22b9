import type { Scope } from "../../../../contract/account/scopes.ts";

export type Limits = {
  readonly creditBudget: number | null;
  readonly requestsPerMinute: number | null;
  readonly concurrency: number | null;
  readonly indexPages?: number | null;
};

/** All public fields of a key, without the key itself. Times are milliseconds since the epoch. */
export type KeyView = {
  readonly id: string;
  readonly accountId: string;
  readonly name: string;
  readonly prefix: string;
  readonly limits: Limits;
  readonly scopes: readonly Scope[];
  readonly allowHosts: readonly string[] | null;
  readonly createdAt: number;
  readonly lastUsedAt: number | null;
  readonly expiresAt: number | null;
  readonly revokedAt: number | null;
};

export type NewKeyView = KeyView & { readonly key: string };

export type AccountView = {
  readonly id: string;
  readonly name: string;
  readonly limits: Limits;
  readonly createdAt: number;
  readonly disabledAt: number | null;
};
