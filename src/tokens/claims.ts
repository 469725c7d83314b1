/** The claims of a verified token. */
export interface TokenClaims {
  /** The user's UUID (`sub`). */
  readonly userId: string;
  /** The family of one sign-in (`sid`). */
  readonly familyId: string;
  /** NumericDate seconds (`iat`). */
  readonly issuedAtSeconds: number;
  /** NumericDate seconds (`exp`). */
  readonly expiresAtSeconds: number;
}
