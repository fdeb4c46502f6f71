/** Base64 of the text in UTF-8, as the data of a Secret is written. */
export function base64(text: string): string {
  let binary = ''
  for (const byte of new TextEncoder().encode(text)) binary += String.fromCharCode(byte)
  return btoa(binary)
}
