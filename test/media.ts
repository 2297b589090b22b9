// Generated sounds.

/** A tone as PCM in a WAV file (Multimedia Programming Interface 1.0): 8 kHz, 16 bits, one channel. */
export function toneWav(seconds: number, hertz = 440): Buffer {
  const rate = 8_000;
  const samples = Math.round(seconds * rate);
  const file = Buffer.alloc(44 + samples * 2);
  file.write("RIFF", 0, "latin1");
  file.writeUInt32LE(36 + samples * 2, 4);
  file.write("WAVEfmt ", 8, "latin1");
  file.writeUInt32LE(16, 16);
  file.writeUInt16LE(1, 20);
  file.writeUInt16LE(1, 22);
  file.writeUInt32LE(rate, 24);
  file.writeUInt32LE(rate * 2, 28);
  file.writeUInt16LE(2, 32);
  file.writeUInt16LE(16, 34);
  file.write("data", 36, "latin1");
  file.writeUInt32LE(samples * 2, 40);
  for (let at = 0; at < samples; at++)
    file.writeInt16LE(
      Math.round(12_000 * Math.sin((2 * Math.PI * hertz * at) / rate)),
      44 + at * 2,
    );
  return file;
}

/** Silence as MPEG-1 layer III (ISO 11172-3): frames of 26 ms at 128 kbit/s and 44.1 kHz, with nothing in them. */
export function silentMp3(seconds: number): Buffer {
  const frame = Buffer.alloc(417);
  frame.writeUInt32BE(0xff_fb_90_00, 0);
  return Buffer.concat(Array.from({ length: Math.ceil(seconds / 0.026) }, () => frame));
}
