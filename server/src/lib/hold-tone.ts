/** In the folder of sounds, without ending: what is played on hold where no music is stored (contract 24.8). */
export const HOLD_TONE_NAME = 'hold-tone';
