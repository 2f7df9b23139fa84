// SPDX-FileCopyrightText: The libterrain authors
// SPDX-License-Identifier: MIT

#include "peers.h"

#include <opencv2/core.hpp>
#include <opencv2/imgproc.hpp>

namespace
{

const int edge = cv::BORDER_REPLICATE;

cv::Mat from(const bench_peer_maps *maps)
{
    cv::setNumThreads(1);
    return cv::Mat(maps->height, maps->width, CV_32F, const_cast<float *>(maps->from));
}

// What a function writes: so large that it need not take memory for it.
cv::Mat to(const bench_peer_maps *maps, double scale = 1)
{
    return cv::Mat(cvRound(maps->height * scale), cvRound(maps->width * scale), CV_32F, maps->to);
}

template <int radius> void box(const bench_peer_maps *maps)
{
    cv::Mat result = to(maps);
    cv::blur(from(maps), result, cv::Size(2 * radius + 1, 2 * radius + 1), cv::Point(-1, -1), edge);
}

template <int sigma> void gaussian(const bench_peer_maps *maps)
{
    cv::Mat result = to(maps);
    cv::GaussianBlur(from(maps), result, cv::Size(0, 0), sigma, sigma, edge);
}

template <int percent, int filter> void resize(const bench_peer_maps *maps)
{
    cv::Mat result = to(maps, percent / 100.0);
    cv::resize(from(maps), result, result.size(), 0, 0, filter);
}

void third(const bench_peer_maps *maps)
{
    cv::Mat result = to(maps, 1.0 / 3);
    cv::resize(from(maps), result, result.size(), 0, 0, cv::INTER_AREA);
}

void normalize(const bench_peer_maps *maps)
{
    cv::Mat result = to(maps);
    cv::normalize(from(maps), result, 0, 100, cv::NORM_MINMAX);
}

void slope(const bench_peer_maps *maps)
{
    static cv::Mat x, y;
    cv::Mat result = to(maps);
    cv::Sobel(from(maps), x, CV_32F, 1, 0, 3, 0.125);
    cv::Sobel(from(maps), y, CV_32F, 0, 1, 3, 0.125);
    cv::magnitude(x, y, result);
}

// From places that are made beforehand, as far from home as ours.
void remap(const bench_peer_maps *maps)
{
    static cv::Mat x, y;
    cv::Mat result = to(maps);
    if (x.size() != result.size()) {
        x.create(result.size(), CV_32F);
        y.create(result.size(), CV_32F);
        for (int i = 0; i < maps->height; i++) {
            for (int j = 0; j < maps->width; j++) {
                x.at<float>(i, j) = j + 8 * std::sin(i * 0.05f + j * 0.03f);
                y.at<float>(i, j) = i + 8 * std::cos(i * 0.03f - j * 0.05f);
            }
        }
    }
    cv::remap(from(maps), result, x, y, cv::INTER_LINEAR, edge);
}

} // namespace

#define NAME "OpenCV " CV_VERSION

extern "C" const bench_peer bench_peers_opencv[] = {
    {"blur_box/radius_1", NAME, box<1>},
    {"blur_box/radius_16", NAME, box<16>},
    {"blur_box/radius_100", NAME, box<100>},
    {"blur_gaussian/sigma_1", NAME, gaussian<1>},
    {"blur_gaussian/sigma_2", NAME, gaussian<2>},
    {"blur_gaussian/sigma_4", NAME, gaussian<4>},
    {"blur_gaussian/sigma_16", NAME, gaussian<16>},
    {"blur_gaussian/sigma_32", NAME, gaussian<32>},
    {"shape_resample/double", NAME, resize<200, cv::INTER_CUBIC>},
    {"shape_resample/1.37", NAME, resize<137, cv::INTER_CUBIC>},
    {"shape_resample/half", NAME ", of 2 x 2 cells", resize<50, cv::INTER_AREA>},
    {"shape_resample/third", NAME, third},
    {"shape_remap/found", NAME, normalize},
    {"shape_perturb/bilinear", NAME ", places given", remap},
    {"analyze_slope", NAME, slope},
    {nullptr, nullptr, nullptr},
};
