/** What others typed must not steer the terminal that shows it. */
export function forTerminal(text: string, withLines = false): string {
  return text.replace(/\p{Cc}/gu, (control) => (withLines && control === '\n' ? control : ' '));
}
