#!/bin/bash
# Asks a run by several jobs: each task of the array asks one shard. Flags after the script are those of `fathom run`:
# sbatch --array=1-32 docs/examples/slurm_array.sh --study data/studies/ruler.yaml --model NAME --base-url http://gpu1:8000/v1 --name big
#SBATCH --job-name=fathom
#SBATCH --time=12:00:00
#SBATCH --open-mode=append
#SBATCH --requeue
#SBATCH --signal=B:TERM@60
set -eu
cd "${SLURM_SUBMIT_DIR:-.}"

deno task --quiet fathom run "$@" --shard "$SLURM_ARRAY_TASK_ID/$SLURM_ARRAY_TASK_COUNT" &
RUN=$!
trap 'kill -TERM "$RUN"' TERM
CODE=0
wait "$RUN" || CODE=$?
# A signal ends the first wait, and the run ends soon after it.
while kill -0 "$RUN" 2> /dev/null; do CODE=0; wait "$RUN" || CODE=$?; done
# 143: stopped before its end. The job is queued again if its time limit is near, and not if it was cancelled.
if [ "$CODE" = 143 ]; then
  TASK="${SLURM_ARRAY_JOB_ID}_$SLURM_ARRAY_TASK_ID"
  read -r STATE ENDS <<< "$(squeue --noheader --jobs="$TASK" --format="%T %e")"
  if [ "$STATE" = RUNNING ] && [ "$(date +%s)" -ge "$(($(date -d "$ENDS" +%s) - 180))" ]; then
    scontrol requeue "$TASK"
  fi
fi
exit "$CODE"
