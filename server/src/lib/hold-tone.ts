/** The sound file, without extension, that is played on hold if no music is stored (contract 24.8). */
export const HOLD_TONE_NAME = 'hold-tone';
