/** The remedy to say below the finding at `at`: what helps against several that stand together is said once, below the last of them. */
export function remedyBelow(findings: readonly { readonly remedy: string }[], at: number): string {
  const remedy = findings[at]?.remedy ?? '';
  return findings[at + 1]?.remedy === remedy ? '' : remedy;
}
