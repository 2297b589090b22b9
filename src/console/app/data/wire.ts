// Shapes of responses without a type in the contract.
export type ErrorBody = {
  readonly success?: boolean;
  readonly error?: string;
  readonly code?: string;
  readonly details?: readonly {
    readonly path?: readonly (string | number)[];
    readonly message?: string;
  }[];
};
